#include <CLI/CLI.hpp>
#include <iostream>

#include "cli/commands.h"
#include "cli/model/model_commands.h"
#include "cli/option_list.h"

namespace tritonrl::cli {

void add_own_options_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("options", "")->group("");
  command->callback([&app, &exit_code] {
    std::cout << base::to_json(option_list(app)).dump() << "\n";
    exit_code = kDone;
  });
}

}  // namespace tritonrl::cli
