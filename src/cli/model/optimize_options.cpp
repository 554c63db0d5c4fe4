#include "cli/model/optimize_options.h"

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "cli/field_options.h"
#include "cli/shipped_model.h"
#include "generate/remote_generator.h"

namespace tritonrl::cli {
namespace {

// The model has a device of its own.
void declare_model(CLI::App& command, OptimizeArguments& arguments) {
  declare(command, arguments.model);
  command.remove_option(command.get_option("--model"));
  command.remove_option(command.get_option("--device"));
  arguments.model.model = shipped_model();
  command.add_option("--model", arguments.model.model,
                     "that is asked too: folder, .gguf file, owner/name on the hub, or the address of a server "
                     "(default: models/embedded, where it is found)");
  command.add_option("--model-device", arguments.model.device, "where the model runs; auto: a GPU if there is one")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}))
      ->capture_default_str();
  command.add_flag("--no-model", arguments.no_model, "ask none")->excludes("--model");
  declare(command, arguments.remote);
}

void declare_batch(CLI::App& command, BatchArguments& batch) {
  const char* group = "Many modules";
  command
      .add_option(
          "--batch", batch.in,
          "a folder of Python files, or JSON lines {\"id\", \"module\", \"input\": [...], \"init\", \"eval\"}; a "
          "line of results each goes to --out (default: optimized.jsonl), and the same command goes on where "
          "it was stopped")
      ->group(group);
  command.add_option("--files", batch.files, "folder of the files and proofs (default: --out without its ending)")
      ->group(group);
  command.add_option("--at-once", batch.at_once, "modules worked on at the same time (default: one for two cores)")
      ->check(CLI::Range(1, 1024))
      ->group(group);
  command.add_option("--stop-after", batch.stop_after, "seconds after which no further module is begun (0: no end)")
      ->check(CLI::NonNegativeNumber)
      ->group(group);
  command.add_flag("--overwrite", batch.overwrite, "begin anew where there are results")->group(group);
}

}  // namespace

void declare(CLI::App& command, OptimizeArguments& arguments) {
  command.add_option(
      "module", arguments.subject.place,
      "FILE, FILE:Class or package.module:Class: a PyTorch module, in KernelBench's or KernelBook's form or "
      "as it stands in a project (without a class: Model, or the file's last one)");
  command
      .add_option_function<std::string>(
          "--model-file",
          [&arguments](const std::string& place) {
            arguments.subject.place = place;
            arguments.survey = true;
          },
          "FILE or FILE:Class: list which of its classes are worth optimising, what share of the time each takes, what "
          "kernels could save, and how; nothing is optimised")
      ->excludes("module");
  command
      .add_option("--input", arguments.subject.inputs,
                  "one for each argument of forward: 'f32[8,1024]', 'i64[8,16]<1000', 'bool[8,16]', a range "
                  "'f32[1..64,1024]' or 'f32[B=1..64,1024]', a number, '=EXPR' (default: the file's get_inputs, or "
                  "found by trial)")
      ->allow_extra_args(false);
  command.add_option("--init", arguments.subject.init,
                     "constructor arguments as in a call: '64, heads=4' (default: the file's get_init_inputs, or found "
                     "by trial)");
  command.add_flag(
      "--eval", arguments.subject.eval,
      "in evaluation mode (its constructor ends with self.eval()): batch norm takes its running statistics, "
      "dropout nothing");
  command.add_option("--out", arguments.out,
                     "file of the result (default: NAME_optimized.py); its proof is the same "
                     "name with .json");
  declare_fields(command, arguments.search);
  declare_model(command, arguments);
  command.add_flag("--json", arguments.json, "print the proof as JSON, and no table");
  command.add_flag("--quiet", arguments.quiet, "no table");
  declare_batch(command, arguments.batch);
  declare(command, arguments.judge);
  declare(command, arguments.cache);
  declare(command, arguments.machine);
}

void complete(OptimizeArguments& arguments, const CLI::App& command) {
  if (arguments.judge.device != "cpu" && !arguments.survey && command.get_option("--baseline")->count() == 0)
    arguments.judge.baseline = "compile";
  check(arguments.judge);
  if (arguments.subject.place.empty() == arguments.batch.in.empty())
    throw base::UserError("optimize", "name one module, FILE:Class, or many by --batch");
  if (!arguments.batch.in.empty() && (!arguments.subject.inputs.empty() || !arguments.subject.init.empty()))
    throw base::UserError("optimize",
                          "--input and --init are of one module; of many they stand in the lines of --batch");
  if (!arguments.asks_model() || !generate::is_server_address(arguments.model.model)) return;
  if (arguments.remote.tokenizer.empty())
    throw base::UserError("optimize", "--model " + arguments.model.model +
                                          " is a server, which is sent token ids; pass --tokenizer with the folder or "
                                          "hub id of the model's own");
  if (!arguments.model.adapter.empty())
    throw base::UserError("optimize", "--adapter has no place with a server; name its own by --served-model");
}

}  // namespace tritonrl::cli
