#include "cli/unknown_words.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/nearest_name.h"

namespace tritonrl::cli {
namespace {

constexpr const char* kSeeVerbs = "`tritonrl --help` lists them";

}  // namespace

std::vector<std::string> verb_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(verb->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options()) {
    if (!option->get_lnames().empty()) names.push_back("--" + option->get_lnames().front());
  }
  return names;
}

std::string unknown_verb(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.empty()) return "";
  const std::string& word = words.front();
  if (word.starts_with("-")) {
    if (app.get_option_no_throw(word) != nullptr) return "";
    return word + " is no option of tritonrl itself: options stand behind a verb; " + kSeeVerbs;
  }
  const std::vector<std::string> verbs = verb_names(app);
  if (std::find(verbs.begin(), verbs.end(), word) != verbs.end()) return "";
  const std::string out = word + " is no verb of tritonrl" + did_you_mean(word, verbs);
  return out + (out.back() == '?' ? " " : "; ") + kSeeVerbs;
}

std::string unknown_options(const CLI::App& app) {
  const std::vector<CLI::App*> chosen = const_cast<CLI::App&>(app).get_subcommands();
  if (chosen.empty()) return "";
  std::string out;
  for (const std::string& word : chosen.front()->remaining()) {
    if (!word.starts_with("-") || word == "-" || word == "--") continue;
    const std::string name = word.substr(0, word.find('='));
    out += (out.empty() ? "" : ". ") + name + " is no option of " + chosen.front()->get_name() +
           did_you_mean(name, option_names(*chosen.front()));
  }
  if (out.empty()) return out;
  return out + (out.back() == '?' ? " " : "; ") + "`tritonrl " + chosen.front()->get_name() + " --help` lists them";
}

}  // namespace tritonrl::cli
