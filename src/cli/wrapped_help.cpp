#include "cli/wrapped_help.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>

namespace tritonrl::cli {
namespace {

constexpr std::size_t kNarrowest = 40, kDefault = 80;
constexpr std::size_t kNameIndent = 2, kNameColumn = 30, kNarrowColumn = 8;

// Where a word that does not fit may be cut: behind the last comma that fits. 0: nowhere.
std::size_t cut_of(std::string_view word, std::size_t room) {
  if (word.size() <= room) return 0;
  const std::size_t comma = word.substr(0, room).rfind(',');
  return comma == std::string_view::npos ? 0 : comma + 1;
}

class WrappedHelp : public CLI::Formatter {
 public:
  explicit WrappedHelp(std::size_t width) : width_(width) {}

  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    return entry(make_option_name(option, is_positional) + make_option_opts(option), make_option_desc(option));
  }
  std::string make_subcommand(const CLI::App* verb) const override {
    return entry(verb->get_display_name(true), verb->get_description());
  }
  std::string make_description(const CLI::App* app) const override {
    const std::string text = CLI::Formatter::make_description(app);
    return text.empty() ? text : wrapped(CLI::detail::trim_copy(text), width_, 0, 0) + "\n";
  }
  std::string make_usage(const CLI::App* app, std::string name) const override {
    const std::string text = CLI::Formatter::make_usage(app, std::move(name));
    return wrapped(CLI::detail::trim_copy(text), width_, kNarrowColumn, 0) + "\n";
  }

 private:
  // The name, and what it is for in a column of its own; below the name where the name is long.
  std::string entry(const std::string& name, const std::string& text) const {
    const std::size_t column = width_ >= 2 * kNameColumn + kNameIndent ? kNameColumn : kNarrowColumn;
    std::string out = std::string(kNameIndent, ' ') + wrapped(name, width_, kNameIndent + 4, kNameIndent);
    if (text.empty()) return out + "\n";
    const std::size_t last = out.size() - (out.rfind('\n') == std::string::npos ? 0 : out.rfind('\n') + 1);
    const bool one_line = out.find('\n') == std::string::npos && last < column;
    out += one_line ? std::string(column - last, ' ') : "\n" + std::string(column, ' ');
    return out + wrapped(text, width_, column, column) + "\n";
  }

  const std::size_t width_;
};

}  // namespace

std::size_t help_width() {
  winsize size{};
  std::size_t width = kDefault;
  if (::isatty(STDOUT_FILENO) == 1 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    width = size.ws_col;
  } else if (const char* columns = std::getenv("COLUMNS"); columns != nullptr) {
    const long number = std::strtol(columns, nullptr, 10);
    if (number > 0 && number < 10'000) width = static_cast<std::size_t>(number);
  }
  return std::max(width, kNarrowest);
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent, std::size_t used) {
  std::string out;
  bool at_start = true;  // of a line: no space belongs there
  const auto new_line = [&] {
    out += "\n" + std::string(indent, ' ');
    used = indent;
    at_start = true;
  };
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == ' ') {
      ++at;
      continue;
    }
    if (text[at] == '\n') {
      new_line();
      ++at;
      continue;
    }
    std::string_view word = text.substr(at, text.find_first_of(" \n", at) - at);
    at += word.size();
    while (!word.empty()) {
      const std::size_t gap = at_start ? 0 : 1;
      if (used + gap + word.size() > width && !at_start) new_line();
      const std::size_t cut = cut_of(word, used < width ? width - used : 0);
      const std::string_view part = cut == 0 ? word : word.substr(0, cut);
      if (!at_start) out += ' ';
      out += part;
      used += part.size() + (at_start ? 0 : 1);
      at_start = false;
      word.remove_prefix(part.size());
      if (!word.empty()) new_line();
    }
  }
  return out;
}

std::shared_ptr<CLI::FormatterBase> wrapped_help(std::size_t width) {
  return std::make_shared<WrappedHelp>(width);
}

}  // namespace tritonrl::cli
