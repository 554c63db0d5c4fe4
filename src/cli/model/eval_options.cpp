#include "cli/model/eval_options.h"

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "cli/field_options.h"
#include "cli/model/prompt_options.h"
#include "cli/model/sampling_arguments.h"
#include "cli/model/shown_tasks.h"

namespace tritonrl::cli {
namespace {

constexpr int kLongestAnswer = 2048;

void declare_sampling(CLI::App& command, EvalArguments& arguments) {
  arguments.sampling.max_new_tokens = kLongestAnswer;
  declare(command, arguments.sampling);
  command.remove_option(command.get_option("--temperature"));
  command.add_option("--temperature", arguments.temperature,
                     "of the samples (default: 0 where there is one a task, the likeliest answer; else 1)");
  command.add_option("--slots", arguments.slots, "samples that grow at once")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
}

// "checkpoints/sft_final/" -> "sft_final", "Qwen/Qwen2.5" -> "Qwen2.5", "answers.jsonl" -> "answers"
std::string name_of(const std::string& path, bool is_file) {
  std::filesystem::path given(path);
  if (!given.has_filename()) given = given.parent_path();
  return (is_file ? given.stem() : given.filename()).string();
}

}  // namespace

void declare(CLI::App& command, EvalArguments& arguments) {
  declare_beside_model(command, arguments.judge);
  declare(command, arguments.model);
  command.remove_option(command.get_option("--model"));
  command.add_option(
      "--model,--model_path,--model-path", arguments.model.model,
      "who answers: folder in Hugging Face's layout, .gguf file, or owner/name on the hub; the folder of "
      "an adapter, which names its base; a server's address; or `teacher`, the compiler that writes the "
      "training data");
  declare(command, arguments.remote);
  command.add_option("--answers", arguments.answers,
                     "score answers that were written elsewhere: JSON lines {\"id\": task, \"text\": answer}, as "
                     "`generate --json` and an earlier eval write them, too");
  declare_fields(command, arguments.tasks);
  command.add_option("--level", arguments.tasks.levels, "the same as --levels")
      ->delimiter(',')
      ->check(CLI::IsMember({"1", "2", "3", "4"}))
      ->excludes("--levels");
  command.add_option("--task-seed", arguments.task_seed,
                     "of --generate and --num-tasks (default: --seed), so that other draws are of the same tasks");
  declare_fields(command, arguments.run);
  declare_sampling(command, arguments);
  declare_fields(command, arguments.prompt);
  declare(command, arguments.ask);
  command.add_option("--out", arguments.out, "JSON of the results (default: outputs/eval_NAME.json)");
  command.add_option("--kernelbench-results", arguments.kernelbench_results,
                     "folder for the same results in KernelBench's own form: NAME_levelN/eval_results.json, "
                     "pass_at_k_results.json and NAME_baseline.json, which its analysis reads");
  command
      .add_option("--from-results", arguments.from_results,
                  "file of an earlier run whose results go to --kernelbench-results; nothing is evaluated")
      ->needs("--kernelbench-results");
  command.add_option("--name", arguments.name, "of the results (default: the model's)");
  command.add_flag("--overwrite", arguments.overwrite, "begin anew where there are results of other options");
  command.add_flag("--json", arguments.json, "print the metrics as JSON");
  command.add_flag("--quiet", arguments.quiet, "no progress");
  command.add_option("--compare", arguments.compare,
                     "print files of earlier runs side by side, with a paired test, and do nothing else");
  declare(command, arguments.cache);
  declare(command, arguments.machine);
}

const std::string& prompt_folder(const EvalArguments& arguments) {
  if (generate::is_server_address(arguments.model.model)) return arguments.remote.tokenizer;
  return arguments.model.adapter.empty() ? arguments.model.model : arguments.model.adapter;
}

void complete(EvalArguments& arguments) {
  const auto refuse = [](const std::string& problem) { throw base::UserError("eval", problem); };
  if (arguments.model.model.empty() == arguments.answers.empty())
    refuse("name who answers: --model MODEL, or a file by --answers");
  if (!arguments.answers.empty() && !arguments.model.adapter.empty()) refuse("--adapter has no place with --answers");
  if (generate::is_server_address(arguments.model.model) && !arguments.model.adapter.empty())
    refuse("--adapter has no place with a server, which has its own; name it by --served-model");
  if (const std::string problem = text::contradiction(arguments.prompt); !problem.empty()) refuse(problem);
  check(arguments.judge);
  ShownTasks::limit(arguments.prompt, arguments.sampling);
  arguments.tasks.seed = arguments.task_seed.value_or(arguments.run.seed);
  const bool single = arguments.run.samples == 1 && !arguments.run.greedy;
  arguments.sampling.temperature = arguments.temperature.value_or(single ? 0 : 1);
  if (arguments.name.empty()) {
    const std::string& model = arguments.model.adapter.empty() ? arguments.model.model : arguments.model.adapter;
    arguments.name = arguments.answers.empty() ? name_of(model, false) : name_of(arguments.answers, true);
  }
  if (arguments.out.empty()) arguments.out = "outputs/eval_" + arguments.name + ".json";
  if (std::filesystem::path(arguments.out).extension() != ".json")
    refuse("--out " + arguments.out + ": the results are JSON; choose a name that ends in .json");
}

}  // namespace tritonrl::cli
