#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cli/kept_judge.h"
#include "cli/model/optimize_options.h"
#include "optimize/optimize.h"
#include "python/expression_tracer.h"
#include "python/recorder.h"
#include "python/syntax_reader.h"

namespace tritonrl::cli {

// Everything that stays warm from one module to the next: readers, recorder, judges. Thread-safe. Starts each part when
// it is needed first.
class Optimizer {
 public:
  // `arguments` must outlive it. `precision_given`: --precision holds, whatever the inputs are.
  Optimizer(const OptimizeArguments& arguments, bool precision_given);

  // optimize/subject.h
  optimize::Subject find(const optimize::SubjectRequest& request);

  // optimize/optimize.h; judge and teacher of `tools` are those of this.
  optimize::Optimized run(const optimize::Subject& subject, optimize::OptimizeTools tools);

  // How the best one's parameters differ from the module's (optimize/state_names.h).
  std::string other_state(const optimize::Optimized& found);

  // The module against itself: its times, where no kernel was proven.
  record::Verdict reference(const optimize::Subject& subject, const record::Task& task);

  python::Recorder& recorder();
  bool strict() const { return arguments_.judge.policy == "strict"; }

 private:
  struct Judged {
    Judged(const judge::JudgeOptions& options, const CacheOptions& cache, const MachineOptions& machine);
    JudgeSetting setting;
    KeptJudge judge;
  };
  class Reader;  // of the pool

  KeptJudge& judge_for(const optimize::Subject& subject);

  const OptimizeArguments& arguments_;
  const bool precision_given_;
  const program::Target& target_;
  python::RecorderOptions machine_;
  std::mutex mutex_;
  std::unique_ptr<python::Recorder> recorder_;
  std::vector<std::unique_ptr<python::SyntaxReader>> readers_;  // that nobody uses now
  std::map<std::string, std::unique_ptr<Judged>> judges_;       // by precision
};

}  // namespace tritonrl::cli
