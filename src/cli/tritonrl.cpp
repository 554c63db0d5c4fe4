#include "cli/tritonrl.h"

#include <csignal>
#include <string_view>

#include "cli/commands.h"
#include "cli/nursery_place.h"
#include "cli/run_app.h"
#include "cli/torch_command.h"
#include "cli/version.h"

namespace tritonrl::cli {

int run_tritonrl(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a sandboxed process that dies while we write to it is an outcome, not our end
  look_for_nursery();
  if (argc > 1 && argv[1] == std::string_view("--version")) return print_version({argv + 2, argv + argc});
  CLI::App app{"Teaches language models to write GPU kernels, and proves that they do."};
  app.require_subcommand(1);
  app.add_flag_callback(
      "--version", [] {}, "print version, commit and build; with --json behind it for programs");
  int exit_code = kDone;
  add_prepare_command(app, exit_code);
  add_record_command(app, exit_code);
  add_run_command(app, exit_code);
  add_check_command(app, argc, argv, exit_code);
  add_verify_command(app, exit_code);
  add_extract_command(app, exit_code);
  add_torch_commands(app, argv);
  add_quickstart_command(app, exit_code);
  add_report_command(app, exit_code);
  if (!add_model_server(app, argc, argv)) add_serve_command(app, exit_code);
  add_warm_command(app, exit_code);
  add_doctor_command(app, exit_code);
  add_options_command(app, exit_code);
  add_completion_command(app, exit_code);
  return run_app(app, argc, argv, exit_code);
}

}  // namespace tritonrl::cli
