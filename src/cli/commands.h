#pragma once

#include <CLI/CLI.hpp>

namespace tritonrl::cli {

// Exit codes of the program.
inline constexpr int kDone = 0;
inline constexpr int kAnswerIsNo = 1;   // a kernel is wrong, an answer holds no code
inline constexpr int kUserMustFix = 2;  // the message says what
inline constexpr int kOurs = 3;

// Each declares one subcommand; when it is chosen, its exit code is stored in `exit_code`.
void add_prepare_command(CLI::App& app, int& exit_code);
void add_record_command(CLI::App& app, int& exit_code);
void add_run_command(CLI::App& app, int& exit_code);
// What stands behind `--` belongs to the scripts: `argc` then ends before it.
void add_check_command(CLI::App& app, int& argc, char** argv, int& exit_code);
void add_verify_command(CLI::App& app, int& exit_code);
void add_extract_command(CLI::App& app, int& exit_code);
void add_quickstart_command(CLI::App& app, int& exit_code);
void add_report_command(CLI::App& app, int& exit_code);
void add_serve_command(CLI::App& app, int& exit_code);
void add_warm_command(CLI::App& app, int& exit_code);
void add_doctor_command(CLI::App& app, int& exit_code);
void add_options_command(CLI::App& app, int& exit_code);
void add_completion_command(CLI::App& app, int& exit_code);

}  // namespace tritonrl::cli
