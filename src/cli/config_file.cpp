#include "cli/config_file.h"

#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "cli/nearest_name.h"
#include "cli/unknown_words.h"

namespace tritonrl::cli {
namespace {

// The file that the words name, if they do.
std::string config_path(const std::vector<std::string>& words) {
  constexpr std::string_view kName = "--config";
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == kName && i + 1 < words.size()) return words[i + 1];
    if (words[i].starts_with("--config=")) return words[i].substr(kName.size() + 1);
  }
  return {};
}

class ConfigWords {
 public:
  ConfigWords(const CLI::App& verb, const std::vector<std::string>& given, std::string path)
      : verb_(verb), path_(std::move(path)) {
    for (const std::string& word : given) {
      if (word.starts_with("--")) taken_.insert(verb_.get_option_no_throw(word.substr(0, word.find('='))));
    }
  }

  void add(const toml::table& table) {
    for (const auto& [key, value] : table) {
      if (value.is_table()) continue;
      std::string name(key.str());
      const CLI::Option* option = verb_.get_option_no_throw("--" + name);
      if (option == nullptr) {  // options that were declared by hand have dashes alone
        std::string dashed = name;
        std::ranges::replace(dashed, '_', '-');
        option = verb_.get_option_no_throw("--" + dashed);
        if (option != nullptr) name = dashed;
      }
      if (option == nullptr || name == "config")
        fail(value, name + " is no option of " + verb_.get_name() + meant_option(name));
      if (!taken_.insert(option).second) continue;
      if (const toml::array* list = value.as_array()) {
        for (const toml::node& item : *list) words_.push_back("--" + name + "=" + text_of(item, name));
      } else {
        words_.push_back("--" + name + "=" + text_of(value, name));
      }
    }
  }

  std::vector<std::string> take() { return std::move(words_); }

 private:
  std::string text_of(const toml::node& node, const std::string& name) const {
    if (const auto* text = node.as_string()) return text->get();
    if (const auto* whole = node.as_integer()) return std::to_string(whole->get());
    if (const auto* truth = node.as_boolean()) return truth->get() ? "true" : "false";
    // the shortest text that is this number
    if (const auto* real = node.as_floating_point()) return CLI::detail::to_string(real->get());
    fail(node, name + " must be a text, a number, true or false, or a list of these");
  }

  // As it is written in such a file: without dashes in front.
  std::string meant_option(const std::string& name) const {
    const std::string option = nearest_name(name, option_names(verb_));
    return option.empty() ? "" : "; did you mean " + option.substr(2) + "?";
  }

  [[noreturn]] void fail(const toml::node& node, const std::string& problem) const {
    throw base::UserError("config", path_ + ":" + std::to_string(node.source().begin.line) + ": " + problem +
                                        "; see `tritonrl " + verb_.get_name() + " --help`");
  }

  const CLI::App& verb_;
  const std::string path_;
  std::set<const CLI::Option*> taken_;
  std::vector<std::string> words_;
};

toml::table read_table(const std::string& path) {
  try {
    return toml::parse(base::read_file(path), path);
  } catch (const toml::parse_error& error) {
    throw base::UserError(
        "config", path + ":" + std::to_string(error.source().begin.line) + ": " + std::string(error.description()));
  }
}

const CLI::App* verb_of(const CLI::App& app, const std::string& name) {
  const auto found = app.get_subcommands([&](const CLI::App* verb) { return verb->get_name() == name; });
  return found.empty() ? nullptr : found.front();
}

// tritonrl-model knows some of the verbs alone; tritonrl, which hands these over, has looked before.
bool knows_all_verbs(const CLI::App& app) {
  return !app.get_subcommands([](const CLI::App* verb) { return verb->get_prefix_command(); }).empty();
}

// What the first of them says wins. The stages of `train` have their own.
std::vector<std::string> tables_of(const std::string& verb) {
  return verb == "train" ? std::vector<std::string>{verb, "sft"} : std::vector{verb};
}

void check_tables(const toml::table& table, const CLI::App& app, const std::string& path) {
  if (!knows_all_verbs(app)) return;
  for (const auto& [key, value] : table) {
    const std::string name(key.str());
    if (value.is_table() && verb_of(app, name) == nullptr)
      throw base::UserError("config", path + ":" + std::to_string(value.source().begin.line) + ": [" + name +
                                          "] is no verb of tritonrl; tables are named by verbs, as [verify]" +
                                          did_you_mean(name, verb_names(app)));
  }
}

}  // namespace

void declare_config(CLI::App& app) {
  for (CLI::App* verb : app.get_subcommands([](CLI::App* one) { return !one->get_prefix_command(); }))
    verb->add_option("--config", "TOML file with options of this verb by their names; the command line wins");
}

std::vector<std::string> with_config(const CLI::App& app, int argc, char** argv) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  const std::string path = config_path(words);
  const CLI::App* verb = words.empty() ? nullptr : verb_of(app, words.front());
  if (!path.empty() && verb != nullptr) {
    const toml::table table = read_table(path);
    check_tables(table, app, path);
    if (!verb->get_prefix_command()) {  // the program that it is handed over to reads the file itself
      ConfigWords config(*verb, words, path);
      for (const std::string& name : tables_of(verb->get_name())) {
        if (const toml::table* own = table[name].as_table()) config.add(*own);
      }
      config.add(table);
      const std::vector<std::string> more = config.take();
      words.insert(words.begin() + 1, more.begin(), more.end());
    }
  }
  std::reverse(words.begin(), words.end());
  return words;
}

std::string config_text(const std::vector<std::string>& words, std::string_view option) {
  const std::string path = config_path(words);
  if (path.empty() || words.empty()) return {};
  const toml::table table = read_table(path);
  const toml::table* own = table[words.front()].as_table();
  const toml::node* const value = own != nullptr && own->contains(option) ? own->get(option) : table.get(option);
  const auto* text = value == nullptr ? nullptr : value->as_string();
  return text == nullptr ? std::string() : text->get();
}

}  // namespace tritonrl::cli
