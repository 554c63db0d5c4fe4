#include <csignal>
#include <iostream>

#include "base/error.h"
#include "cli/commands.h"

int main(int argc, char** argv) {
  using namespace tritonrl;
  std::signal(SIGPIPE, SIG_IGN);  // a sandboxed process that dies while we write to it is an outcome, not our end
  CLI::App app{"Teaches language models to write GPU kernels, and proves that they do."};
  app.require_subcommand(1);
  int exit_code = cli::kDone;
  cli::add_record_command(app, exit_code);
  cli::add_run_command(app, exit_code);
  cli::add_verify_command(app, exit_code);
  cli::add_extract_command(app, exit_code);
  cli::add_doctor_command(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? cli::kDone : cli::kUserMustFix;
  } catch (const base::UserError& error) {
    std::cerr << "tritonrl: " << error.what() << "\n";
    return cli::kUserMustFix;
  } catch (const std::exception& error) {
    std::cerr << "tritonrl: " << error.what() << "\n";
    return cli::kOurs;
  }
  return exit_code;
}
