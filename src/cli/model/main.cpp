#include <CLI/CLI.hpp>

#include "base/loader_path.h"
#include "cli/commands.h"
#include "cli/model/model_commands.h"
#include "cli/run_app.h"

int main(int argc, char** argv) {
  using namespace tritonrl;
  base::leave_loader_path();
  CLI::App app{"The verbs of tritonrl that run a model.", "tritonrl"};
  app.require_subcommand(1);
  int exit_code = cli::kDone;
  cli::add_eval_command(app, exit_code);
  cli::add_generate_command(app, exit_code);
  cli::add_merge_command(app, exit_code);
  cli::add_optimize_command(app, exit_code);
  cli::add_pretrain_command(app, exit_code);
  cli::add_rl_command(app, exit_code);
  cli::add_serve_model_command(app, exit_code);
  cli::add_sft_command(app, exit_code);
  cli::add_train_command(app, exit_code);
  cli::add_own_options_command(app, exit_code);
  return cli::run_app(app, argc, argv, exit_code);
}
