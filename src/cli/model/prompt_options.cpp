#include "cli/model/prompt_options.h"

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "cli/source_file.h"

namespace tritonrl::cli {
namespace {

std::string task_prompt(const std::string& source) {
  return "Write a Triton kernel that computes what this PyTorch module computes, faster. Answer with one Python file "
         "that defines the class ModelNew, with the same constructor and the same forward as Model.\n\n```python\n" +
         source + (source.ends_with('\n') ? "" : "\n") + "```\n";
}

std::string asked_text(const PromptOptions& options) {
  if (!options.task.empty()) return task_prompt(read_source(options.task));
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
  CLI::Option* chat =
      command.add_flag("--chat", options.ask.chat, "ask through the chat template (default if there is one)");
  CLI::Option* raw = command.add_flag("--raw", options.ask.raw, "let the model continue the prompt as it is");
  chat->excludes(raw);
  command.add_option("--system", options.ask.system, "system message of the chat (default: the template's own)")
      ->excludes(raw);
}

text::AskedPrompt make_prompt(const PromptOptions& options, const text::ModelText& model) {
  const std::string asked = asked_text(options);
  if (asked.empty())
    throw base::UserError("generate", "no prompt; pass --prompt TEXT, --prompt-file FILE or --task FILE");
  return text::ask(model, asked, options.ask);
}

}  // namespace tritonrl::cli
