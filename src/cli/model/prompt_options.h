#pragma once

#include <optional>
#include <string>

#include "cli/machine.h"
#include "cli/model/shown_tasks.h"
#include "text/model_text.h"

namespace CLI {
class App;
}

namespace tritonrl::cli {

// What a model is asked. One of prompt, prompt_file and task is given.
struct PromptOptions {
  std::string prompt;       // the text itself
  std::string prompt_file;  // a file with it, or -
  std::string task;         // a file with a PyTorch module, or -: the model is asked for a kernel
  std::string task_form;    // empty: as the model's own file has it (model_prompt.h), else full
  bool one_shot = false;    // an example goes before the task
  std::string act;          // of the answer; empty: as the model's own file has it, else code
  text::AskOptions ask;
};

void declare(CLI::App& command, PromptOptions& options);
// --chat, --raw and --system.
void declare(CLI::App& command, text::AskOptions& options);

struct MadePrompt {
  text::AskedPrompt asked;
  // An answer as a file that serves the task: with the task's names, and lowered where it is a plan.
  std::string finished(std::string answer) const;
  std::optional<ShownTasks> shown;
  text::PromptOptions wording = {};  // of a task
};

// `folder`: of the model, or its adapter. UserError if there is no prompt or it is empty, and for a chat through a
// template that we do not know.
MadePrompt make_prompt(const PromptOptions& options, const text::ModelText& model, const std::string& folder,
                       const MachineOptions& machine);

}  // namespace tritonrl::cli
