#include <csignal>

#include "cli/commands.h"
#include "cli/run_app.h"
#include "cli/torch_command.h"

int main(int argc, char** argv) {
  using namespace tritonrl;
  std::signal(SIGPIPE, SIG_IGN);  // a sandboxed process that dies while we write to it is an outcome, not our end
  CLI::App app{"Teaches language models to write GPU kernels, and proves that they do."};
  app.require_subcommand(1);
  int exit_code = cli::kDone;
  cli::add_prepare_command(app, exit_code);
  cli::add_record_command(app, exit_code);
  cli::add_run_command(app, exit_code);
  cli::add_verify_command(app, exit_code);
  cli::add_extract_command(app, exit_code);
  cli::add_torch_commands(app, argv);
  cli::add_doctor_command(app, exit_code);
  return cli::run_app(app, argc, argv, exit_code);
}
