#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace tritonrl::cli {

// `--config FILE` for every verb of `app`: its options in a TOML file.
void declare_config(CLI::App& app);

// The words of the command line with those that the file of --config adds, in the order that CLI11's parse takes words
// in. `name = value` is the option of that name, with dashes or underscores; a list is the option several times. Names
// at the top hold for whichever verb runs, those in a table `[verify]` for that verb alone (`train` takes those of its
// first stage, `[sft]`, too). What stands on the command line wins. UserError names file, line and option.
std::vector<std::string> with_config(const CLI::App& app, int argc, char** argv);

// What that file says of one option of the verb, before any verb reads it: a text. Empty: nothing.
std::string config_text(const std::vector<std::string>& words, std::string_view option);

}  // namespace tritonrl::cli
