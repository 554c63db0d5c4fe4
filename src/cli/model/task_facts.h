#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/machine.h"
#include "python/recorder.h"
#include "record/task.h"
#include "teacher/traced/followed_module.h"
#include "text/prompt.h"

namespace tritonrl::cli {

// What is known of tasks' values by a run of each, for prompts that tell facts as training data do. Starts a Python
// when it is first asked.
class TaskFacts {
 public:
  explicit TaskFacts(const MachineOptions& machine);
  // With a recorder that is there already, and lives longer.
  TaskFacts(const MachineOptions& machine, python::Recorder& recorder);
  ~TaskFacts();

  // Empty where nothing could be found out: the prompt is then as one without facts.
  std::vector<text::LeafFact> of(const record::Task& task);
  // Its text for the configuration of its own run (teacher/traced/as_run.h).
  std::string as_run(const record::Task& task);
  teacher::FollowedModule followed(const record::Task& task);

 private:
  struct Impl;
  Impl& impl();
  MachineOptions machine_;
  python::Recorder* shared_ = nullptr;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tritonrl::cli
