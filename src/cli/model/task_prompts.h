#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>

#include "cli/model/shown_tasks.h"
#include "record/task.h"
#include "text/model_text.h"
#include "text/prompt.h"

namespace tritonrl::cli {

// What a model is given for each of some tasks, worded as its training data were, and the way back from its answers.
class TaskPrompts {
 public:
  // `text` and `facts` must outlive it.
  TaskPrompts(const text::PromptOptions& options, const text::AskOptions& ask, const text::ModelText& text,
              TaskFacts& facts, bool strict);

  // May take a run of the task: where facts are told or names counted.
  const text::AskedPrompt& add(const record::Task& task);
  const text::AskedPrompt& of(const std::string& task_id) const { return prompts_.at(task_id); }

  // An answer to a task as a file that serves it; as it is, where answers are whole. Thread-safe once all are added.
  std::string restored(const std::string& task_id, std::string answer) const;

 private:
  text::PromptOptions options_;
  text::AskOptions ask_;
  const text::ModelText& text_;
  bool strict_;
  TaskFacts& facts_;
  ShownTasks shown_;
  std::map<std::string, text::AskedPrompt> prompts_;  // by task
};

}  // namespace tritonrl::cli
