#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.h"
#include "cli/serve_run.h"

namespace tritonrl::cli {

void add_serve_command(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<ServeArguments>();
  CLI::App* command = app.add_subcommand(
      "serve",
      "the judge over HTTP; with --model MODEL a model too, then `serve --model MODEL --help` has its options");
  declare(*command, *arguments);
  command->callback([arguments, &exit_code] { exit_code = serve_until_signal(*arguments, {}); });
}

}  // namespace tritonrl::cli
