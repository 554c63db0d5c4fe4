#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tritonrl::cli {

// Names as a user writes them, for did_you_mean().
std::vector<std::string> verb_names(const CLI::App& app);
std::vector<std::string> option_names(const CLI::App& verb);

// What is wrong with the word in the place of the verb; empty: it is one, or there is none.
std::string unknown_verb(const CLI::App& app, const std::vector<std::string>& words);
// After a parse that failed: options that the chosen verb does not have. They explain it better than what is missing
// for their sake. Empty: there are none.
std::string unknown_options(const CLI::App& app);

}  // namespace tritonrl::cli
