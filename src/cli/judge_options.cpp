#include "cli/judge_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/error.h"
#include "judge/options_text.h"
#include "judge/rules.h"
#include "judge/version.h"
#include "program/target.h"
#include "runner/devices.h"

namespace tritonrl::cli {
namespace {

// "--timing-num-warmup,--timing_num_warmup"
std::string both_spellings(const std::string& name) {
  std::string dashes = name;
  std::replace(dashes.begin(), dashes.end(), '_', '-');
  return dashes == name ? "--" + name : "--" + dashes + ",--" + name;
}

template <class Value>
CLI::Option* add(CLI::App& command, const std::string& name, Value& value, const std::string& meaning) {
  return command.add_option(both_spellings(name), value, meaning)->capture_default_str()->group("Judge");
}

void declare_stages(CLI::App& command, judge::JudgeOptions& options) {
  add(command, "enable_multi_input", options.enable_multi_input, "try other inputs than the task's own");
  add(command, "multi_input_num_tests", options.multi_input_num_tests, "most variations, beside signed and parameters")
      ->check(CLI::Range(1, 1000));
  add(command, "multi_input_shape_variations", options.multi_input_shape_variations, "other shapes");
  add(command, "multi_input_value_variations", options.multi_input_value_variations, "other values and types");
  add(command, "enable_staged_eval", options.enable_staged_eval, "cheap stages first; off: no tiny stage");
  add(command, "staged_skip_timing_on_failure", options.staged_skip_timing_on_failure,
      "no timing for wrong results; off: modelled too, without reward");
  add(command, "staged_tiny_batch_first", options.staged_tiny_batch_first, "the smallest shapes first");
  add(command, "enable_calibrated_timing", options.enable_calibrated_timing, "the timing stage");
  add(command, "timing_num_warmup", options.timing_num_warmup, "runs before measured ones")
      ->check(CLI::Range(0, 100000));
  add(command, "timing_num_trials", options.timing_num_trials, "measured runs")->check(CLI::Range(1, 100000));
  add(command, "timing_use_events", options.timing_use_events, "measure with the device's events");
}

}  // namespace

void declare(CLI::App& command, judge::JudgeOptions& options) {
  add(command, "policy", options.policy, "strict: no arithmetic outside kernels but on tiny tensors")
      ->check(CLI::IsMember({"kernelbench", "strict"}));
  add(command, "target", options.target, "GPU to compile for and to model: h200, sm_90, ...");
  add(command, "device", options.device,
      "cpu, or GPUs on which candidates are executed and timed too: cuda, cuda:1, cuda:0,2, cuda:all")
      ->check([](const std::string& text) {
        try {
          if (text != "cpu") runner::device_indices(text, 1);
          return std::string();
        } catch (const base::UserError& error) {
          return std::string(error.what());
        }
      });
  command
      .add_flag(
          "--live", options.live,
          "run the file of a candidate that passed once as it stands, on the GPU: it must agree with its recording")
      ->group("Judge");
  add(command, "baseline", options.baseline, "what a measured speed-up is over: eager torch or torch.compile")
      ->check(CLI::IsMember({"eager", "compile"}));
  add(command, "precision", options.precision, "of parameters and inputs")
      ->check(CLI::IsMember({"fp32", "fp16", "bf16"}));
  const std::vector<std::string> known(std::begin(judge::kVariations), std::end(judge::kVariations));
  add(command, "variations", options.variations, "inputs to try, separated by commas")
      ->delimiter(',')
      ->check(CLI::IsMember(known));
  add(command, "seed", options.seed, "of parameters, inputs and garbage (default: secret and fresh)")
      ->check(CLI::NonNegativeNumber);
  add(command, "min_work_share", options.min_work_share, "refuse a candidate whose kernels do less of the work")
      ->check(CLI::Range(0.0, 1.0));
  declare_stages(command, options);
  add(command, "plan_speedup_cap", options.plan_speedup_cap, "most that the plan reward counts of a speed-up")
      ->check(CLI::Range(0.0, 1e6));
  command
      .add_option_function<std::vector<std::string>>(
          "--without",
          [&options](const std::vector<std::string>& rules) { options.without.insert(rules.begin(), rules.end()); },
          "switch a rule or protection off by its name, to see what it is for; may be repeated")
      ->delimiter(',')
      ->group("Judge");
  add(command, "sampled_programs", options.sampled_programs, "programs of each launch executed at real shapes")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40));
  add(command, "candidate_ms", options.candidate_ms, "milliseconds for one candidate, all stages together")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40));
}

void check(const judge::JudgeOptions& options) {
  program::find_target(options.target);
  if (options.device == "cpu" && (options.live || options.baseline != "eager"))
    throw base::UserError("verify", std::string(options.live ? "--live" : "--baseline " + options.baseline) +
                                        " needs a GPU: pass --device cuda with it");
  for (const std::string& name : options.without) {
    const bool rule = std::find(std::begin(judge::rules::kSwitches), std::end(judge::rules::kSwitches), name) !=
                      std::end(judge::rules::kSwitches);
    const bool variation = std::any_of(std::begin(judge::kVariations), std::end(judge::kVariations),
                                       [&](const char* one) { return name == std::string("variation:") + one; });
    if (rule || variation) continue;
    std::string known;
    for (const std::string_view one : judge::rules::kSwitches) known += std::string(one) + ", ";
    throw base::UserError("verify",
                          "--without " + name + ": there is no such rule; known: " + known + "variation:NAME");
  }
}

void declare(CLI::App& command, CacheOptions& options) {
  CLI::Option* folder = command.add_option("--cache", options.folder,
                                           "folder that keeps verdicts and compilations (default: the user's)");
  command.add_flag("--no-cache", options.off, "neither take verdicts and compilations from a cache nor keep them")
      ->excludes(folder);
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
  return options_text(options) + "\npython " + python.version + " torch " + python.torch_version + " triton " +
         python.triton_version + "\nseconds " + std::to_string(machine.timeout_s) + " GiB " +
         std::to_string(machine.memory_gib) + "\njudge " + judge::judge_version();
}

}  // namespace tritonrl::cli
