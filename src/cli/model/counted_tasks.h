#pragma once

#include <map>
#include <string>

#include "cli/model/task_facts.h"
#include "record/task.h"
#include "teacher/families/counted_module.h"

namespace tritonrl::cli {

// Tasks as prompts with counted names show them, for the configuration that they run in, and the way back.
class CountedTasks {
 public:
  // The same task under counted names; one that cannot be read stays as it is.
  record::Task shown(record::Task task, TaskFacts& facts);
  // An answer to it, whole and with the task's own names.
  std::string restored(const std::string& task_id, std::string answer) const;

 private:
  std::map<std::string, teacher::CountedModule> modules_;  // by task
};

}  // namespace tritonrl::cli
