#pragma once

#include <map>
#include <string>

#include "cli/model/task_facts.h"
#include "generate/generator.h"
#include "record/task.h"
#include "teacher/families/counted_module.h"
#include "teacher/traced/followed_module.h"
#include "text/prompt.h"

namespace tritonrl::cli {

// Tasks as prompts show them, and the way back from a model's answers: names are counted and restored, plans are
// lowered to code.
class ShownTasks {
 public:
  explicit ShownTasks(const text::PromptOptions& options) : options_(options) {}

  // What the prompt shows. Runs the task where names are counted or plans are to be lowered; where that cannot be done
  // it stays as it is.
  record::Task shown(record::Task task, TaskFacts& facts);
  // An answer to it as a file that serves the task; of a plan that cannot be lowered a comment that says why.
  // Thread-safe once all are shown.
  std::string restored(const std::string& task_id, std::string answer) const;
  // A plan ends where code would begin: what a model would write behind it is not read.
  static void limit(const text::PromptOptions& options, generate::SamplingOptions& sampling);
  // Whether an answer is no such file as it is.
  bool restores() const { return options_.act == text::PromptAct::kPlan || counts(); }

 private:
  bool counts() const { return options_.names == text::PromptNames::kCounted; }
  record::Task counted(record::Task task, TaskFacts& facts);
  std::string lowered(const std::string& task_id, const std::string& answer) const;

  text::PromptOptions options_;
  std::map<std::string, teacher::CountedModule> counted_;   // by task
  std::map<std::string, teacher::FollowedModule> planned_;  // by task
};

}  // namespace tritonrl::cli
