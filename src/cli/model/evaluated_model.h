#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/json.h"
#include "cli/model/eval_options.h"
#include "cli/model/loaded_model.h"
#include "cli/model/task_prompts.h"
#include "evaluate/task_set.h"
#include "generate/generator.h"
#include "generate/request_check.h"

namespace tritonrl::cli {

// A model that is asked for the kernels of some tasks.
class EvaluatedModel {
 public:
  // Loads it, words all prompts. UserError if it is missing or empty: files that hold no weights, an adapter that was
  // never trained.
  EvaluatedModel(const EvalArguments& arguments, std::span<const evaluate::EvaluationTask> tasks, TaskFacts& facts);

  generate::Generator& generator() { return *generator_; }
  std::int64_t context() const { return limits_.context; }  // tokens of prompt and answer together
  const text::AskedPrompt& prompt(const std::string& task_id) const { return prompts_->of(task_id); }
  // An answer as a file that serves the task.
  std::string restored(const std::string& task_id, std::string answer) const {
    return prompts_->restored(task_id, std::move(answer));
  }

 private:
  void load(const EvalArguments& arguments);
  void connect(const EvalArguments& arguments);

  std::optional<text::ModelText> text_;
  std::unique_ptr<model::Transformer> transformer_;  // none: a server has it
  generate::RequestLimits limits_;
  std::optional<TaskPrompts> prompts_;
  std::unique_ptr<generate::Generator> generator_;
};

// Names, sizes and times of the files that a model or adapter is: another hash, other weights. Empty where there is
// nothing of that name here.
std::string files_hash(const std::string& folder_or_file);

}  // namespace tritonrl::cli
