#include "text/python_scan.h"

#include "text/chars.h"

namespace tritonrl::text {
namespace {

// No expression goes on with these in the first column: after a bracket that was never closed, they start afresh.
bool starts_afresh(std::string_view line) {
  std::string_view word = leading_word(line);
  return line.starts_with('@') || word == "def" || word == "class" || word == "import" || word == "from";
}

}  // namespace

// Returns where the string ends, or the end of the line. `at` is behind the opening quotes.
std::size_t PythonScanner::scan_string(std::string_view line, std::size_t at) {
  while (at < line.size()) {
    if (line[at] == '\\') {
      at += 2;
    } else if (line[at] != quote_) {
      ++at;
    } else if (!triple_) {
      quote_ = 0;
      return at + 1;
    } else if (line.substr(at, 3) == std::string(3, quote_)) {
      quote_ = 0;
      return at + 3;
    } else {
      ++at;
    }
  }
  // A backslash as the last character carries a plain string into the next line; without one it ends, wrongly, here.
  if (!triple_ && at == line.size()) quote_ = 0;
  return line.size();
}

void PythonScanner::scan(std::string_view line, std::string* kinds) {
  if (depth_ > 0 && quote_ == 0 && starts_afresh(line)) depth_ = 0;
  continued_ = false;
  std::size_t i = 0;
  auto mark = [&](std::size_t count, char kind) {
    if (kinds != nullptr) kinds->append(count, kind);
  };
  if (quote_ != 0) {
    i = scan_string(line, 0);
    mark(i, kString);
  }
  while (i < line.size()) {
    char c = line[i];
    if (c == '#') {
      mark(line.size() - i, kComment);
      return;
    }
    if (c == '"' || c == '\'') {
      quote_ = c;
      triple_ = line.substr(i, 3) == std::string(3, c);
      std::size_t end = scan_string(line, i + (triple_ ? 3 : 1));
      mark(end - i, kString);
      i = end;
      continue;
    }
    if (c == '(' || c == '[' || c == '{') ++depth_;
    if ((c == ')' || c == ']' || c == '}') && depth_ > 0) --depth_;
    if (!is_blank(c)) continued_ = c == '\\';
    mark(1, kCode);
    ++i;
  }
}

std::string byte_kinds(std::string_view code) {
  std::string kinds;
  kinds.reserve(code.size());
  PythonScanner scanner;
  LineCursor lines(code);
  while (lines.next()) {
    scanner.scan(lines.line(), &kinds);
    if (lines.end() > lines.begin() + lines.line().size()) kinds += scanner.in_string() ? kString : kCode;
  }
  return kinds;
}

}  // namespace tritonrl::text
