#include "cli/judge_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/error.h"
#include "cli/field_options.h"
#include "judge/rules/rule_table.h"
#include "judge/version.h"
#include "program/target.h"
#include "runner/devices.h"

namespace tritonrl::cli {

void declare(CLI::App& command, judge::JudgeOptions& options) {
  declare_fields(command, options, "Judge");
}

void declare_beside_model(CLI::App& command, judge::JudgeOptions& options) {
  declare(command, options);
  command.remove_option(command.get_option("--device"));
  command.remove_option(command.get_option("--seed"));
  command
      .add_option("--judge-device", options.device,
                  "cpu, or GPUs on which candidates are executed and timed too, at the task's own sizes: cuda, cuda:1, "
                  "cuda:0,2, cuda:all")
      ->group("Judge")
      ->capture_default_str();
  command
      .add_option("--judge-seed", options.seed,
                  "of parameters, inputs and garbage of the judge (default: secret and fresh)")
      ->group("Judge");
}

void check(const judge::JudgeOptions& options) {
  program::find_target(options.target);
  if (options.device != "cpu") runner::device_indices(options.device, 1);
  if (options.device == "cpu" && (options.live || options.baseline != "eager"))
    throw base::UserError("verify", std::string(options.live ? "--live" : "--baseline " + options.baseline) +
                                        " needs a GPU: pass --device cuda with it");
  const std::vector<std::string_view> switches = judge::switches();
  for (const std::string& name : options.without) {
    const bool rule = std::find(switches.begin(), switches.end(), name) != switches.end();
    const bool variation = std::any_of(std::begin(judge::kVariations), std::end(judge::kVariations),
                                       [&](const char* one) { return name == std::string("variation:") + one; });
    if (rule || variation) continue;
    std::string known;
    for (const std::string_view one : switches) known += std::string(one) + ", ";
    throw base::UserError("verify",
                          "--without " + name + ": there is no such rule; known: " + known + "variation:NAME");
  }
}

void declare(CLI::App& command, CacheOptions& options) {
  declare_fields(command, options);
  command.get_option("--no-cache")->excludes(command.get_option("--cache"));
}

std::filesystem::path verdict_folder(const CacheOptions& options) {
  if (options.off) return {};
  return options.folder.empty() ? cache_folder() : std::filesystem::path(options.folder);
}

void apply(const CacheOptions& options, judge::ReplayerOptions& replayer) {
  if (options.off) replayer.compiler.cache.clear();
  if (!options.folder.empty()) replayer.compiler.cache = std::filesystem::path(options.folder) / "compiled";
}

std::string verdict_context(const judge::JudgeOptions& options, const MachineOptions& machine,
                            const judge::ReplayerOptions& replayer) {
  const python::Interpreter& python = replayer.recorder.interpreter;
  return base::field_key(options) + "\npython " + python.version + " torch " + python.torch_version + " triton " +
         python.triton_version + "\nseconds " + std::to_string(machine.timeout_s) + " GiB " +
         std::to_string(machine.memory_gib) + "\njudge " + judge::judge_version();
}

}  // namespace tritonrl::cli
