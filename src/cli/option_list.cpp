#include "cli/option_list.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace tritonrl::cli {
namespace {

// "TEXT:{a,b}" is a TEXT with two choices.
void read_type(const std::string& shown, ListedOption& out) {
  const std::size_t open = shown.find(":{"), close = shown.rfind('}');
  out.type = shown.substr(0, open);
  if (open == std::string::npos || close == std::string::npos) return;
  std::string choice;
  for (std::size_t at = open + 2; at <= close; ++at) {
    if (shown[at] != ',' && at != close) {
      choice += shown[at];
      continue;
    }
    out.choices.push_back(choice);
    choice.clear();
  }
}

ListedOption listed(const CLI::Option& option) {
  ListedOption out;
  out.placed = option.get_lnames().empty();
  out.name = out.placed ? option.get_name() : "--" + option.get_lnames().front();
  out.help = option.get_description();
  out.flag = option.get_items_expected_max() == 0;
  out.required = option.get_required();
  out.several = option.get_items_expected_max() > 1;
  out.default_value = option.get_default_str();
  if (!out.flag) read_type(option.get_type_name(), out);
  return out;
}

}  // namespace

OptionList option_list(const CLI::App& app) {
  OptionList out;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App* one) { return !one->get_prefix_command(); })) {
    if (verb->get_group().empty()) continue;
    ListedVerb listing{.name = verb->get_name(), .help = verb->get_description(), .options = {}};
    for (const CLI::Option* option : verb->get_options()) {
      if (option->get_group().empty() || option == verb->get_help_ptr()) continue;
      listing.options.push_back(listed(*option));
    }
    out.verbs.push_back(std::move(listing));
  }
  return out;
}

void add_options(OptionList& list, OptionList more) {
  for (ListedVerb& verb : more.verbs) {
    const auto known = std::ranges::find(list.verbs, verb.name, &ListedVerb::name);
    if (known == list.verbs.end()) {
      list.verbs.push_back(std::move(verb));
      continue;
    }
    for (ListedOption& option : verb.options) {
      if (std::ranges::find(known->options, option.name, &ListedOption::name) == known->options.end())
        known->options.push_back(std::move(option));
    }
  }
}

}  // namespace tritonrl::cli
