#include "cli/model/counted_tasks.h"

#include "cli/model/task_prompt.h"
#include "teacher/families/taken_over.h"

namespace tritonrl::cli {

record::Task CountedTasks::shown(record::Task task, TaskFacts& facts) {
  const std::string entry_point = entry_point_of(task.source, task.entry_point);
  auto counted = teacher::counted_module(
      facts.as_run({.id = task.id, .source = task.source, .entry_point = entry_point}), entry_point);
  if (!counted) return task;
  task.source = counted->shown;
  task.entry_point = counted->entry_point;
  modules_[task.id] = *std::move(counted);
  return task;
}

std::string CountedTasks::restored(const std::string& task_id, std::string answer) const {
  const auto found = modules_.find(task_id);
  return found == modules_.end() ? answer : teacher::restored_answer(answer, found->second);
}

}  // namespace tritonrl::cli
