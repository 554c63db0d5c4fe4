#include "cli/model/prompt_options.h"

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "cli/model/task_prompt.h"
#include "cli/source_file.h"

namespace tritonrl::cli {
namespace {

text::PromptOptions wording_of(const PromptOptions& options) {
  text::PromptOptions wording{.form = text::PromptForm::kFull, .one_shot = options.one_shot};
  for (const text::PromptForm form : {text::PromptForm::kShort, text::PromptForm::kPlan}) {
    if (text::to_string(form) == options.task_form) wording.form = form;
  }
  if (wording.one_shot && wording.form == text::PromptForm::kShort)
    throw base::UserError("generate", "--one-shot has no place in a prompt of form short; choose full or plan");
  return wording;
}

std::string asked_text(const PromptOptions& options) {
  if (!options.task.empty()) return task_prompt(read_source(options.task), wording_of(options));
  if (!options.prompt_file.empty()) return read_source(options.prompt_file);
  return options.prompt;
}

}  // namespace

void declare(CLI::App& command, PromptOptions& options) {
  CLI::Option* prompt = command.add_option("--prompt", options.prompt, "what the model is asked");
  CLI::Option* file = command.add_option("--prompt-file", options.prompt_file, "file with the prompt, or -");
  CLI::Option* task =
      command.add_option("--task", options.task, "file with a PyTorch module, or -: asks for a kernel in its place");
  prompt->excludes(file)->excludes(task);
  file->excludes(task);
  command
      .add_option("--task-form", options.task_form,
                  "how a task is worded, as `prepare --prompt` words training data; full: an instruction; short: the "
                  "normalised module alone; plan: a plan before the code")
      ->check(CLI::IsMember({"full", "short", "plan"}))
      ->needs(task)
      ->capture_default_str();
  command.add_flag("--one-shot", options.one_shot, "an example goes before the task (not with short)")->needs(task);
  declare(command, options.ask);
}

void declare(CLI::App& command, text::AskOptions& options) {
  CLI::Option* chat =
      command.add_flag("--chat", options.chat, "ask through the chat template (default if there is one)");
  CLI::Option* raw = command.add_flag("--raw", options.raw, "let the model continue the prompt as it is");
  chat->excludes(raw);
  command.add_option("--system", options.system, "system message of the chat (default: the template's own)")
      ->excludes(raw);
}

text::AskedPrompt make_prompt(const PromptOptions& options, const text::ModelText& model) {
  const std::string asked = asked_text(options);
  if (asked.empty())
    throw base::UserError("generate", "no prompt; pass --prompt TEXT, --prompt-file FILE or --task FILE");
  return text::ask(model, asked, options.ask);
}

}  // namespace tritonrl::cli
