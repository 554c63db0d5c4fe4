#include "cli/all_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/loader_path.h"
#include "base/subprocess.h"
#include "cli/interpreter_libraries.h"
#include "cli/torch_command.h"

namespace tritonrl::cli {
namespace {

OptionList of_model_program() {
  const std::string program = model_program();
  if (!std::filesystem::exists(program)) return {};
  base::set_loader_path(library_folders(MachineOptions()));
  const base::CommandResult answer = base::run_command({program, "options"});
  base::leave_loader_path();
  base::Result<OptionList> list = base::from_json<OptionList>(answer.output, "answer");
  if (answer.exit_code != 0 || !list.ok())
    throw base::InfrastructureError("cli", program + " does not tell its options: " + answer.errors.substr(0, 300));
  return std::move(list).value();
}

}  // namespace

OptionList all_options(const CLI::App& app) {
  OptionList known = option_list(app);
  add_options(known, of_model_program());
  OptionList out;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
    const auto listed = std::ranges::find(known.verbs, verb->get_name(), &ListedVerb::name);
    ListedVerb shown = listed == known.verbs.end() ? ListedVerb{.name = verb->get_name(), .help = {}, .options = {}}
                                                   : std::move(*listed);
    shown.help = verb->get_description();
    out.verbs.push_back(std::move(shown));
  }
  return out;
}

}  // namespace tritonrl::cli
