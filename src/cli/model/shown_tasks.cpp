#include "cli/model/shown_tasks.h"

#include <algorithm>

#include "cli/model/task_prompt.h"
#include "syntax/plain_form.h"
#include "teacher/families/taken_over.h"
#include "teacher/plan/lower_plan.h"

namespace tritonrl::cli {
namespace {

// No code, and so no answer: the judge says that there is none.
std::string refused(std::string why) {
  std::ranges::replace(why, '\n', ' ');
  return "# The plan is refused. " + why + "\n";
}

}  // namespace

record::Task ShownTasks::counted(record::Task task, TaskFacts& facts) {
  auto counted = teacher::counted_module(
      facts.as_run({.id = task.id, .source = task.source, .entry_point = task.entry_point}), task.entry_point);
  if (!counted) return task;
  task.source = counted->shown;
  task.entry_point = counted->entry_point;
  counted_[task.id] = *std::move(counted);
  return task;
}

void ShownTasks::limit(const text::PromptOptions& options, generate::SamplingOptions& sampling) {
  if (options.act != text::PromptAct::kPlan) return;
  for (const char* begin : {"\nimport ", "\nfrom "}) sampling.stop_strings.emplace_back(begin);
}

record::Task ShownTasks::shown(record::Task task, TaskFacts& facts) {
  if (!restores()) return task;
  task.entry_point = entry_point_of(task.source, task.entry_point);
  if (counts()) task = counted(std::move(task), facts);
  if (options_.act != text::PromptAct::kPlan) return task;
  if (!counted_.contains(task.id)) task.source = syntax::plain_text(task.source).value_or(task.source);
  planned_.insert_or_assign(task.id, facts.followed(task));
  return task;
}

std::string ShownTasks::lowered(const std::string& task_id, const std::string& answer) const {
  const auto module = planned_.find(task_id);
  if (module == planned_.end() || !module->second.tree) return refused("Its module could not be followed.");
  const auto plan = teacher::read_plan(answer);
  if (!plan.ok()) return refused(plan.error());
  const teacher::FollowedModule& of = module->second;
  const auto made = teacher::lower_plan(of.tree->root(), of.facts, of.entry_point, plan.value());
  if (!made.ok()) return refused(made.error());
  return counted_.contains(task_id) ? teacher::short_answer(made.value().solution, of.text, of.entry_point)
                                    : made.value().solution;
}

std::string ShownTasks::restored(const std::string& task_id, std::string answer) const {
  if (options_.act == text::PromptAct::kPlan) answer = lowered(task_id, answer);
  const auto found = counted_.find(task_id);
  return found == counted_.end() ? answer : teacher::restored_answer(answer, found->second);
}

}  // namespace tritonrl::cli
