#include "cli/model/prompt_options.h"

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "cli/model/model_prompt.h"
#include "cli/model/task_facts.h"
#include "cli/model/task_prompt.h"
#include "cli/source_file.h"

namespace tritonrl::cli {
namespace {

constexpr const char* kTaskId = "task";

text::PromptOptions wording_of(const PromptOptions& options, const std::string& folder) {
  text::PromptOptions wording{.form = text::PromptForm::kFull, .one_shot = options.one_shot};
  const std::optional<text::PromptOptions> told = prompt_of(folder);
  if (told && options.task_form.empty() && !options.one_shot) wording = *told;
  for (const text::PromptForm form : {text::PromptForm::kShort, text::PromptForm::kPlan}) {
    if (text::to_string(form) == options.task_form) wording.form = form;
  }
  if (!options.act.empty()) wording.act = options.act == "plan" ? text::PromptAct::kPlan : text::PromptAct::kCode;
  if (const std::string problem = text::contradiction(wording); !problem.empty())
    throw base::UserError("generate", problem);
  return wording;
}

std::string asked_for_task(const PromptOptions& options, const std::string& folder, const MachineOptions& machine,
                           MadePrompt& made) {
  const text::PromptOptions& wording = made.wording = wording_of(options, folder);
  record::Task task;
  task.id = kTaskId;
  task.source = read_source(options.task);
  TaskFacts facts(machine);
  task = made.shown.emplace(wording).shown(std::move(task), facts);
  const bool told = wording.facts != text::PromptFacts::kNone;
  return task_prompt(task.source, wording, task.entry_point, told ? facts.of(task) : std::vector<text::LeafFact>());
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
      .add_option(
          "--task-form", options.task_form,
          "how a task is worded, as `prepare --prompt` words training data; full: an instruction; short: the "
          "normalised module alone; plan: a plan before the code (default: as the model was trained, else full)")
      ->check(CLI::IsMember({"full", "short", "plan"}))
      ->needs(task);
  command
      .add_option("--act", options.act,
                  "code: the model answers with the file; plan: with regions and their schedules, from which the "
                  "teacher writes it (default: as the model was trained, else code)")
      ->check(CLI::IsMember({"code", "plan"}))
      ->needs(task);
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

std::string MadePrompt::finished(std::string answer) const {
  return shown ? shown->restored(kTaskId, std::move(answer)) : answer;
}

MadePrompt make_prompt(const PromptOptions& options, const text::ModelText& model, const std::string& folder,
                       const MachineOptions& machine) {
  MadePrompt out;
  const std::string asked = !options.task.empty()          ? asked_for_task(options, folder, machine, out)
                            : !options.prompt_file.empty() ? read_source(options.prompt_file)
                                                           : options.prompt;
  if (asked.empty())
    throw base::UserError("generate", "no prompt; pass --prompt TEXT, --prompt-file FILE or --task FILE");
  out.asked = text::ask(model, asked, options.ask);
  return out;
}

}  // namespace tritonrl::cli
