#include "cli/run_app.h"

#include <CLI/CLI.hpp>
#include <iostream>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/config_file.h"

namespace tritonrl::cli {

int run_app(CLI::App& app, int argc, char** argv, const int& exit_code) {
  try {
    if (app.get_name().empty()) app.name(argv[0]);
    declare_config(app);
    app.parse(with_config(app, argc, argv));
  } catch (const CLI::ParseError& error) {
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
