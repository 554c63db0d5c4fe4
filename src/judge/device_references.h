#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "judge/mending.h"
#include "program/program.h"
#include "record/task.h"
#include "runner/run_outcome.h"

namespace tritonrl::judge {

// References as a GPU computes them. Where it lays results out otherwise than recorded, or its data give other answers,
// the reference is recorded again, once for all candidates of its task. Thread-safe.
class DeviceReferences {
 public:
  // What `mend` made of it, or `recorded`. `task` names it, and the draw where its answers depend on that.
  std::shared_ptr<const program::Program> find(const std::string& task,
                                               std::shared_ptr<const program::Program> recorded);

  // Records again with what `outcome` (kMismatch, kOtherAnswer) found. False: that does not help.
  bool mend(const std::string& task, python::RecordRequest request, const runner::RunOutcome& outcome,
            python::Recorder& recorder);

 private:
  struct Entry {
    std::shared_ptr<const program::Program> program;
    Mending mending;
  };
  std::mutex mutex_;
  std::map<std::string, Entry> by_task_;
};

}  // namespace tritonrl::judge
