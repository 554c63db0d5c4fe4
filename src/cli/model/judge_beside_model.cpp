#include "cli/model/judge_beside_model.h"

#include <CLI/CLI.hpp>

#include "cli/judge_options.h"

namespace tritonrl::cli {

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

}  // namespace tritonrl::cli
