#include "cli/completion_script.h"

namespace tritonrl::cli {
namespace {

// Between single quotes of any of the shells.
std::string quoted(const std::string& text, const char* quote) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string(quote) : std::string(1, c == '\n' ? ' ' : c);
  return out + "'";
}

std::string in_words(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

std::vector<std::string> options_of(const ListedVerb& verb) {
  std::vector<std::string> out;
  for (const ListedOption& option : verb.options) {
    if (!option.placed) out.push_back(option.name);
  }
  out.emplace_back("--help");
  return out;
}

std::vector<std::string> verbs_of(const OptionList& list) {
  std::vector<std::string> out;
  for (const ListedVerb& verb : list.verbs) out.push_back(verb.name);
  return out;
}

std::string for_bash(const OptionList& list) {
  std::string choices, options;
  for (const ListedVerb& verb : list.verbs) {
    options += "    " + verb.name + ") words=\"" + in_words(options_of(verb)) + "\" ;;\n";
    for (const ListedOption& option : verb.options) {
      if (!option.choices.empty())
        choices += "    '" + verb.name + " " + option.name + "') words=\"" + in_words(option.choices) + "\" ;;\n";
    }
  }
  return R"(# Completion of tritonrl for bash: source this file, or put it into a folder of bash-completion under the name tritonrl.
_tritonrl() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W ")" +
         in_words(verbs_of(list)) + R"( --help --version" -- "$word"))
    return
  fi
  [ "$word" = = ] && word=
  [ "$before" = = ] && before=${COMP_WORDS[COMP_CWORD-2]}
  case "${COMP_WORDS[1]} $before" in
)" + choices +
         R"(  esac
  [ -z "$words" ] && [[ $word == -* ]] && case "${COMP_WORDS[1]}" in
)" + options +
         R"(  esac
  [ -n "$words" ] && COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o bashdefault -o default -F _tritonrl tritonrl
)";
}

// A colon would end what is said of an option, a bracket too.
std::string for_zsh_text(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '[' || c == ']' || c == ':' || c == '\\' ? "\\" + std::string(1, c) : std::string(1, c);
  return out;
}

std::string for_zsh(const OptionList& list) {
  constexpr const char* kQuote = "'\\''";
  std::string verbs, options;
  for (const ListedVerb& verb : list.verbs) {
    verbs += "    " + quoted(for_zsh_text(verb.name) + ":" + verb.help, kQuote) + "\n";
    options += "  " + verb.name + ") _arguments";
    for (const ListedOption& option : verb.options) {
      std::string spec = option.placed ? "*" : (option.several ? "*" : "") + option.name;
      if (!option.placed) spec += "[" + for_zsh_text(option.help) + "]";
      if (!option.flag) {
        spec += ":" + for_zsh_text(option.type.empty() ? "word" : option.type) + ":";
        spec += option.choices.empty() ? "_files" : "(" + in_words(option.choices) + ")";
      }
      options += " \\\n    " + quoted(spec, kQuote);
    }
    options += " \\\n    '--help[all options]' ;;\n";
  }
  return "#compdef tritonrl\n"
         "# Completion of tritonrl for zsh: put this file into a folder of $fpath under the name _tritonrl.\n"
         "local -a verbs=(\n" +
         verbs +
         "  )\n"
         "if (( CURRENT == 2 )); then\n  _describe verb verbs\n  return\nfi\n"
         "shift words\n(( CURRENT-- ))\ncase $words[1] in\n" +
         options + "esac\n";
}

std::string for_fish(const OptionList& list) {
  constexpr const char* kQuote = "\\'";
  const auto said = [&](const std::string& text) {
    std::string out;
    for (const char c : text) out += c == '\\' ? std::string("\\\\") : std::string(1, c);
    return quoted(out, kQuote);
  };
  std::string out =
      "# Completion of tritonrl for fish: put this file into ~/.config/fish/completions under the name tritonrl.fish.\n"
      "complete -c tritonrl -n __fish_use_subcommand -f -l version -d 'version, commit and build'\n";
  for (const ListedVerb& verb : list.verbs) {
    out += "complete -c tritonrl -n __fish_use_subcommand -f -a " + verb.name + " -d " + said(verb.help) + "\n";
    for (const ListedOption& option : verb.options) {
      if (option.placed) continue;
      out += "complete -c tritonrl -n '__fish_seen_subcommand_from " + verb.name + "' -l " + option.name.substr(2);
      if (!option.choices.empty()) {
        out += " -x -a '" + in_words(option.choices) + "'";
      } else if (!option.flag) {
        out += " -r";
      }
      out += " -d " + said(option.help) + "\n";
    }
  }
  return out;
}

}  // namespace

std::string completion_script(const OptionList& list, Shell shell) {
  switch (shell) {
    case Shell::kBash:
      return for_bash(list);
    case Shell::kZsh:
      return for_zsh(list);
    case Shell::kFish:
      return for_fish(list);
  }
  return {};
}

}  // namespace tritonrl::cli
