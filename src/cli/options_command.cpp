#include <CLI/CLI.hpp>
#include <iostream>
#include <map>
#include <memory>

#include "cli/all_options.h"
#include "cli/commands.h"
#include "cli/completion_script.h"
#include "cli/option_page.h"

namespace tritonrl::cli {

void add_completion_command(CLI::App& app, int& exit_code) {
  static const std::map<std::string, Shell> kShells = {
      {"bash", Shell::kBash}, {"zsh", Shell::kZsh}, {"fish", Shell::kFish}};
  auto shell = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("completion", "what bash, zsh or fish has to read to complete verbs and options");
  command->add_option("SHELL", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->callback([&app, shell, &exit_code] {
    std::cout << completion_script(all_options(app), kShells.at(*shell));
    exit_code = kDone;
  });
}

void add_options_command(CLI::App& app, int& exit_code) {
  auto markdown = std::make_shared<bool>(false);
  CLI::App* command =
      app.add_subcommand("options", "every option of every verb with its type, default and meaning, as JSON");
  command->add_flag("--markdown", *markdown, "as the page docs/configuration.md");
  command->callback([&app, markdown, &exit_code] {
    const OptionList list = all_options(app);
    std::cout << (*markdown ? option_page(list) : base::to_json(list).dump() + "\n");
    exit_code = kDone;
  });
}

}  // namespace tritonrl::cli
