#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "base/fields.h"
#include "evaluate/answers.h"
#include "evaluate/result_log.h"
#include "evaluate/task_set.h"
#include "generate/generator.h"
#include "judge/judge.h"
#include "text/model_text.h"

namespace tritonrl::evaluate {

struct EvaluateOptions {
  int samples = 1;      // of each task, at the sampling's temperature
  bool greedy = false;  // one more at temperature 0
  std::uint64_t seed = 0;
  int workers = 0;  // candidates judged at once; 0: two a core

  void fields(base::FieldVisitor& field) {
    field("samples", samples, {.help = "answers to each task, at --temperature", .least = 0, .most = 100'000});
    field(
        "greedy", greedy,
        {.help = "one more answer at temperature 0: rates of single answers are its rates then, pass@k the samples'"});
    field("seed", seed, {.help = "of the draws of tasks and tokens; equal seeds give equal answers"});
    field("workers", workers,
          {.help = "candidates judged at once (0: two a core)", .least = 0, .most = 4096, .keyed = false});
  }
};

// Who answers and who judges. Answers are `answers` where they are given, else the generator's.
struct EvaluateTools {
  generate::Generator* generator = nullptr;
  generate::SamplingOptions sampling;                           // stop tokens are those of the prompt
  std::function<text::AskedPrompt(const EvaluationTask&)> ask;  // what the model is given for a task
  std::function<std::string(const EvaluationTask&, std::string)> restore =
      {};                                                           // an answer as a file that serves the task
  std::int64_t context = std::numeric_limits<std::int64_t>::max();  // tokens of prompt and answer together
  const Answers* answers = nullptr;
  judge::Judge* judge = nullptr;
  std::function<bool()> stopped = {};  // asked often, on any thread: true ends the run
  // On a thread of its own, one at a time; `earlier`: of a call before this one.
  std::function<void(const SampleResult&, bool earlier)> result_came = {};
};

struct EvaluateOutcome {
  std::vector<SampleResult> results;  // in the order of tasks; of each the greedy answer, then samples by index
  bool complete = false;              // false: stopped; the same call goes on
};

// The seed of a task's samples: depends on the task's id, not on its place among others.
std::uint64_t task_seed(std::uint64_t seed, const std::string& task_id);

// Lets every task be answered and judges the answers while others are generated; no more answers wait than the judge's
// queue holds. Results of the log are not made again. Whatever a model answers is a result; UserError where options,
// tasks or files must be fixed.
EvaluateOutcome evaluate(std::span<const EvaluationTask> tasks, const EvaluateOptions& options,
                         const EvaluateTools& tools, ResultLog& log);

}  // namespace tritonrl::evaluate
