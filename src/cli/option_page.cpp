#include "cli/option_page.h"

#include <algorithm>
#include <map>

namespace tritonrl::cli {
namespace {

constexpr std::size_t kShared = 3;  // verbs, from which on an option stands in the table of those that are shared

constexpr const char* kHead = R"(# Configuration

Every option of every verb. An option is a word of the command line (`--min-work-share 0.5`) and a name in the TOML file of `--config`
(`min_work_share = 0.5`; dashes or underscores, lists as lists, a flag is `true`); the command line wins, and a name that is no option is refused with its line.
Names at the top hold for whichever verb runs, those in a table such as `[verify]` for that verb. Ready files: [configs](../configs/README.md). This page is written by
`build/release/tritonrl options --markdown > docs/configuration.md` from the lists that the programs themselves read; the test `configuration_page` holds it to them.
)";

// Options of two verbs that are told in the same words are one.
std::string key_of(const ListedOption& option) {
  return base::to_json(option).dump();
}

std::string in_cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') {
      out += "\\|";
    } else if (c == '<') {
      out += "&lt;";
    } else {
      out += c == '\n' ? ' ' : c;
    }
  }
  return out;
}

// Between backquotes, where nothing but the bar means something.
std::string in_code(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string shown_name(const ListedOption& option) {
  std::string out = option.name;
  if (!option.choices.empty()) {
    out += " ";
    for (std::size_t i = 0; i < option.choices.size(); ++i) out += (i == 0 ? "" : "|") + option.choices[i];
  } else if (!option.type.empty() && !option.placed) {
    out += " " + option.type;
  }
  return "`" + in_code(out) + "`" + (option.several ? " …" : "");
}

std::string row(const ListedOption& option) {
  const std::string start = option.required                ? "must be given"
                            : option.flag                  ? "off"
                            : option.default_value.empty() ? ""
                                                           : "`" + in_code(option.default_value) + "`";
  return "| " + shown_name(option) + " | " + start + " | " + in_cell(option.help) + " |";
}

}  // namespace

std::string option_page(const OptionList& list) {
  std::map<std::string, std::vector<std::string>> verbs;
  std::vector<const ListedOption*> shared;
  for (const ListedVerb& verb : list.verbs) {
    for (const ListedOption& option : verb.options) {
      std::vector<std::string>& of = verbs[key_of(option)];
      of.push_back(verb.name);
      if (of.size() == kShared) shared.push_back(&option);
    }
  }
  std::ranges::sort(shared, {}, [](const ListedOption* option) { return option->name; });
  std::string out = kHead;
  out += "\n## Shared by several verbs\n\n| option | default | meaning | verbs |\n|---|---|---|---|\n";
  for (const ListedOption* option : shared) {
    std::string names;
    for (const std::string& name : verbs[key_of(*option)]) names += (names.empty() ? "" : ", ") + name;
    out += row(*option) + " " + names + " |\n";
  }
  for (const ListedVerb& verb : list.verbs) {
    out += "\n## " + verb.name + "\n\n" + verb.help + "\n";
    std::string rows;
    for (const ListedOption& option : verb.options) {
      if (verbs[key_of(option)].size() < kShared) rows += row(option) + "\n";
    }
    if (!rows.empty()) out += "\n| option | default | meaning |\n|---|---|---|\n" + rows;
  }
  return out;
}

}  // namespace tritonrl::cli
