#include "text/line_prefixes.h"

#include <algorithm>
#include <array>
#include <limits>

#include "text/chars.h"

namespace tritonrl::text {
namespace {

bool is_diff_header(std::string_view line) {
  constexpr std::array<std::string_view, 8> kHeaders = {"@@",     "+++ ",   "--- ",          "diff --git",
                                                        "index ", "\\ No ", "new file mode", "deleted file mode"};
  return std::any_of(kHeaders.begin(), kHeaders.end(), [&](std::string_view h) { return line.starts_with(h); });
}

struct DiffSigns {
  bool added = false, hunk = false, only_added = true, unmarked = false;
};

DiffSigns diff_signs(std::string_view code) {
  DiffSigns signs;
  LineCursor lines(code);
  while (lines.next()) {
    std::string_view line = lines.line();
    if (trim(line).empty()) continue;
    if (is_diff_header(line)) {
      signs.hunk |= line.starts_with("@@");
      continue;
    }
    signs.added |= line[0] == '+';
    signs.only_added &= line[0] == '+';
    signs.unmarked |= line[0] != '+' && line[0] != '-' && line[0] != ' ';
  }
  return signs;
}

std::string added_side(std::string_view code, const DiffSigns& signs) {
  std::string out;
  LineCursor lines(code);
  while (lines.next()) {
    std::string_view line = lines.line();
    if (is_diff_header(line) || line.starts_with('-')) continue;
    // Where some context lines have no mark, the space in front of the others is indentation.
    if (line.starts_with('+') || (line.starts_with(' ') && !signs.unmarked)) line.remove_prefix(1);
    out.append(line) += '\n';
  }
  return out;
}

std::string without_prompts(std::string_view code) {
  std::string out;
  LineCursor lines(code);
  while (lines.next()) {
    std::string_view line = trim_left(lines.line());
    if (!line.starts_with(">>>") && !line.starts_with("...")) continue;
    line.remove_prefix(3);
    if (line.starts_with(' ')) line.remove_prefix(1);
    out.append(line) += '\n';
  }
  return out;
}

// "12", " 12 |", "12:", "12." in front of a line.
struct LineNumber {
  long value = -1;
  std::size_t digits = 0;
  std::size_t length = 0;  // with the white space in front and the mark behind
  std::size_t space = 0;   // white space behind that
};

LineNumber line_number(std::string_view line) {
  LineNumber number;
  std::size_t begin = indentation(line), at = begin;
  while (at < line.size() && is_digit(line[at])) ++at;
  number.digits = at - begin;
  if (number.digits == 0 || number.digits > 6) return {};
  number.value = std::stol(std::string(line.substr(begin, number.digits)));
  std::size_t bar = at + indentation(line.substr(at));
  if (bar < line.size() && line[bar] == '|') {
    at = bar + 1;
  } else if (at < line.size() && (line[at] == ':' || line[at] == '.')) {
    ++at;
  }
  number.length = at;
  number.space = indentation(line.substr(at));
  if (at + number.space < line.size() && number.space == 0) return {};
  return number;
}

std::string without_numbers(std::string_view code) {
  constexpr std::size_t kUnset = std::numeric_limits<std::size_t>::max();
  std::array<std::size_t, 7> space;  // the least white space behind numbers of so many digits
  space.fill(kUnset);
  long previous = -1;
  std::size_t count = 0;
  LineCursor lines(code);
  while (lines.next()) {
    if (trim(lines.line()).empty()) continue;
    LineNumber number = line_number(lines.line());
    if (number.value < 0 || (previous >= 0 && number.value != previous + 1)) return {};
    previous = number.value;
    ++count;
    if (number.length + number.space < lines.line().size()) {
      space[number.digits] = std::min(space[number.digits], number.space);
    }
  }
  auto first = std::find_if(space.begin(), space.end(), [](std::size_t s) { return s != kUnset; });
  if (count < 3 || first == space.end()) return {};
  // Code that starts in one column has less space behind longer numbers.
  bool aligned = std::any_of(first, space.end(), [&](std::size_t s) { return s < *first; });
  std::string out;
  lines = LineCursor(code);
  while (lines.next()) {
    std::string_view line = lines.line();
    if (!trim(line).empty()) {
      LineNumber number = line_number(line);
      std::size_t more = number.digits - static_cast<std::size_t>(first - space.begin());
      std::size_t drop = aligned ? *first - std::min(more, *first) : *first;
      line.remove_prefix(number.length + std::min(drop, number.space));
    }
    out.append(line) += '\n';
  }
  return out;
}

}  // namespace

std::string without_line_prefixes(std::string code, std::string_view language) {
  DiffSigns signs = diff_signs(code);
  bool named = language == "diff" || language == "patch";
  bool marked = signs.only_added || (signs.hunk && !signs.unmarked);
  if (signs.added && (named || marked)) return added_side(code, signs);
  std::string_view text = trim(code);
  if (text.starts_with(">>> ")) return without_prompts(code);
  if (!text.empty() && is_digit(text[0])) {
    std::string plain = without_numbers(code);
    if (!plain.empty()) return plain;
  }
  return code;
}

}  // namespace tritonrl::text
