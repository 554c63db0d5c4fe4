#pragma once

namespace CLI {
class App;
}

namespace tritonrl::cli {

// Parses, runs the chosen command, and tells what went wrong in one line. The program's exit code; the command's own is
// in `exit_code`.
int run_app(CLI::App& app, int argc, char** argv, const int& exit_code);

}  // namespace tritonrl::cli
