#include "text/block_cleanup.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "text/chars.h"
#include "text/clean_bytes.h"
#include "text/escapes.h"
#include "text/line_prefixes.h"
#include "text/python_scan.h"

namespace tritonrl::text {
namespace {

// The name of the language on a line of its own, and the button that web pages put next to it.
bool is_label(std::string_view line) {
  constexpr std::array<std::string_view, 6> kLabels = {"python", "python3", "py", "triton", "copy", "copy code"};
  line = trim(line);
  return std::any_of(kLabels.begin(), kLabels.end(), [&](std::string_view label) {
    return line.size() == label.size() && starts_with_ignoring_case(line, label);
  });
}

std::string_view without_labels(std::string_view code) {
  LineCursor lines(code);
  std::size_t begin = 0;
  while (lines.next() && (trim(lines.line()).empty() || is_label(lines.line()))) begin = lines.end();
  return code.substr(begin);
}

// What the code has in front of all its statements; comments and the lines inside a statement may stand further left.
class CommonIndentation {
 public:
  explicit CommonIndentation(std::string_view code) {
    PythonScanner scanner;
    LineCursor lines(code);
    while (lines.next()) {
      std::string_view line = lines.line();
      bool fresh = !scanner.in_statement();
      scanner.scan(line);
      std::string_view text = trim(line);
      if (!fresh || text.empty() || text[0] == '#') continue;
      if (!first_) {
        first_ = line.substr(0, indentation(line));
        first_opens_block_ = text.ends_with(':');
      } else {
        narrow(line.substr(0, indentation(line)));
      }
    }
  }

  // The first line may have lost its own, as when the text was trimmed as a whole.
  std::string_view all_but_first() const {
    bool lost = first_ && rest_ && first_->empty() && !first_opens_block_;
    return lost ? *rest_ : all();
  }

  std::string_view all() const {
    if (!first_) return {};
    return rest_ ? common(*first_, *rest_) : *first_;
  }

 private:
  static std::string_view common(std::string_view a, std::string_view b) {
    return a.substr(0,
                    static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin()));
  }

  void narrow(std::string_view indent) { rest_ = rest_ ? common(*rest_, indent) : indent; }

  std::optional<std::string_view> first_, rest_;
  bool first_opens_block_ = false;
};

std::string dedent(std::string_view code) {
  std::size_t drop = CommonIndentation(code).all_but_first().size();
  if (drop == 0) return std::string(code);
  std::string out;
  LineCursor lines(code);
  while (lines.next()) {
    out.append(lines.line().substr(std::min(drop, indentation(lines.line())))) += '\n';
  }
  return out;
}

bool is_notebook_command(std::string_view line) {
  line = trim(line);
  return line.starts_with('!') || line.starts_with("%%") ||
         (line.size() > 1 && line[0] == '%' && is_word_start(line[1]));
}

// One line with no-break spaces as spaces, and without zero-width characters, where it is code.
std::string plain_spaces(std::string_view line, std::string_view kinds) {
  std::string out;
  for (std::size_t i = 0; i < line.size();) {
    OddSpace odd = kinds[i] == kCode ? odd_space(line.substr(i)) : OddSpace{};
    if (odd.length == 0) out += line[i];
    if (odd.visible) out += ' ';
    i += std::max<std::size_t>(odd.length, 1);
  }
  return out;
}

std::string tidy_lines(std::string_view code) {
  std::string out, kinds;
  PythonScanner scanner;
  LineCursor lines(code);
  while (lines.next()) {
    if (!scanner.in_statement() && is_notebook_command(lines.line())) continue;
    kinds.clear();
    scanner.scan(lines.line(), &kinds);
    std::string line = plain_spaces(lines.line(), kinds);
    if (!scanner.in_string()) line.resize(trim_right(line).size());
    out.append(line) += '\n';
  }
  return out;
}

// Without blank lines at both ends, and without what is left of a fence behind the code.
std::string_view trim_ends(std::string_view code) {
  LineCursor lines(code);
  std::size_t begin = 0;
  while (lines.next() && trim(lines.line()).empty()) begin = lines.end();
  code = trim_right(code.substr(begin));
  if (!code.ends_with('`')) return code;
  std::string kinds = byte_kinds(code);
  while (code.ends_with('`') && kinds[code.size() - 1] == kCode) code = trim_right(code.substr(0, code.size() - 1));
  return code;
}

}  // namespace

std::string clean_block(const CodeBlock& block) {
  std::string code(without_labels(block.code));
  if (std::optional<std::string> unescaped = unescape_flat_code(code)) code = clean_bytes(*unescaped);
  code = without_line_prefixes(std::move(code), block.language);
  code = tidy_lines(dedent(unescape_html(std::move(code))));
  code = std::string(trim_ends(code));
  if (!code.empty()) code += '\n';
  return code;
}

}  // namespace tritonrl::text
