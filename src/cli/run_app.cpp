#include "cli/run_app.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/config_file.h"
#include "cli/unknown_words.h"
#include "cli/wrapped_help.h"

namespace tritonrl::cli {

int run_app(CLI::App& app, int argc, char** argv, const int& exit_code) {
  const std::shared_ptr<CLI::FormatterBase> help = wrapped_help(help_width());
  try {
    if (app.get_name().empty()) app.name(argv[0]);
    declare_config(app);
    const std::vector<std::string> given(argv + std::min(argc, 1), argv + argc);
    if (const std::string problem = unknown_verb(app, given); !problem.empty()) throw base::UserError("cli", problem);
    for (CLI::App* verb : app.get_subcommands([](CLI::App*) { return true; })) verb->formatter(help);
    app.formatter(help);
    app.parse(with_config(app, argc, argv));
  } catch (const CLI::ParseError& error) {
    if (const std::string problem = unknown_options(app); error.get_exit_code() != 0 && !problem.empty()) {
      std::cerr << "tritonrl: [cli] " << problem << "\n";
      return kUserMustFix;
    }
    const int code = app.exit(error);
    return code == 0 ? kDone : kUserMustFix;
  } catch (const base::UserError& error) {
    std::cerr << "tritonrl: " << error.what() << "\n";
    return kUserMustFix;
  } catch (const std::exception& error) {
    std::cerr << "tritonrl: " << error.what() << "\n";
    return kOurs;
  }
  return exit_code;
}

}  // namespace tritonrl::cli
