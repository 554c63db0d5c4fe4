#include "text/python_lines.h"

#include <algorithm>
#include <array>

#include "text/chars.h"

namespace tritonrl::text {
namespace {

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool at_line_end(std::string_view rest) {
  rest = trim_left(rest);
  return rest.empty() || rest[0] == '#' || rest[0] == ';' || rest == "\\";
}

// Takes a.b.c off the front.
bool take_dotted_name(std::string_view* rest) {
  std::string_view word = leading_word(*rest);
  if (word.empty()) return false;
  rest->remove_prefix(word.size());
  while (rest->size() > 1 && (*rest)[0] == '.' && is_word_start((*rest)[1])) {
    rest->remove_prefix(1);
    rest->remove_prefix(leading_word(*rest).size());
  }
  return true;
}

bool is_import(std::string_view rest) {
  while (true) {
    rest = trim_left(rest);
    if (!take_dotted_name(&rest)) return false;
    rest = trim_left(rest);
    if (leading_word(rest) == "as") {
      rest = trim_left(rest.substr(2));
      if (!take_dotted_name(&rest)) return false;
    }
    if (at_line_end(rest)) return true;
    rest = trim_left(rest);
    if (rest[0] != ',') return false;
    rest.remove_prefix(1);
    if (at_line_end(rest)) return true;
  }
}

bool is_from_import(std::string_view rest) {
  rest = trim_left(rest);
  bool relative = rest.starts_with('.');
  while (rest.starts_with('.')) rest.remove_prefix(1);
  if (!take_dotted_name(&rest) && !relative) return false;
  rest = trim_left(rest);
  if (leading_word(rest) != "import") return false;
  rest = trim_left(rest.substr(6));
  return rest.starts_with('(') || rest.starts_with('*') || rest == "\\" || is_import(rest);
}

bool is_decorator(std::string_view rest) {
  if (!take_dotted_name(&rest)) return false;
  return at_line_end(rest) || rest[0] == '(';
}

bool is_def(std::string_view rest) {
  rest = trim_left(rest);
  std::string_view name = leading_word(rest);
  rest = trim_left(rest.substr(name.size()));
  return !name.empty() && (rest.starts_with('(') || rest.starts_with('['));
}

// C++ says "class A : public B {" and "class A::B".
bool is_class(std::string_view rest) {
  rest = trim_left(rest);
  std::string_view name = leading_word(rest);
  if (name.empty()) return false;
  rest = trim_right(trim_left(rest.substr(name.size())));
  if (rest.starts_with('(') || rest.starts_with('[')) return !rest.ends_with('{');
  if (!rest.starts_with(':')) return false;
  std::string_view body = trim_left(rest.substr(1));
  constexpr std::array<std::string_view, 4> kForeign = {"public", "private", "protected", "virtual"};
  return !body.starts_with(':') && !body.ends_with('{') && !is_one_of(leading_word(body), kForeign);
}

bool opens_block(std::string_view word, std::string_view rest) {
  std::string_view end = trim_right(rest);
  if (word == "try" || word == "else" || word == "finally") return trim_left(rest).starts_with(':');
  if (word == "for" && rest.find(" in ") == std::string_view::npos) return false;
  if (word == "with" && rest.find('(') == std::string_view::npos && rest.find(" as ") == std::string_view::npos) {
    return false;
  }
  return end.find(':') != std::string_view::npos || end.find_last_of("([{,\\") == end.size() - 1;
}

// The end of the bracket that `text` begins with, npos if it does not close here.
std::size_t closing_bracket(std::string_view text) {
  int depth = 0;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quote != 0) {
      if (c == '\\') ++i;
      if (c == quote) quote = 0;
      continue;
    }
    if (c == '"' || c == '\'') quote = c;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && --depth == 0) return i;
  }
  return std::string_view::npos;
}

bool is_assignment_operator(std::string_view rest) {
  std::size_t n = 0;
  while (n < rest.size() && n < 3 && std::string_view("+-*/%@&|^<>:").find(rest[n]) != std::string_view::npos) ++n;
  return n < rest.size() && rest[n] == '=' && !rest.substr(n).starts_with("==") && rest.substr(0, 2) != "<=" &&
         rest.substr(0, 2) != ">=";
}

// "int = 3", "Dict[str, int] | None = None", "tl.constexpr"; `rest` is what follows the colon. A lone word, as in
// "Note: faster", is prose.
bool is_annotation(std::string_view rest) {
  rest = trim_left(rest);
  constexpr std::array<std::string_view, 5> kTypes = {"int", "float", "bool", "str", "bytes"};
  bool typed = is_one_of(leading_word(rest), kTypes);
  while (true) {
    rest = trim_left(rest);
    std::string_view name = rest;
    if (!take_dotted_name(&rest)) return false;
    typed |= name.substr(0, name.size() - rest.size()).find('.') != std::string_view::npos;
    if (rest.starts_with('[')) {
      std::size_t close = closing_bracket(rest);
      if (close == std::string_view::npos) return false;
      rest.remove_prefix(close + 1);
      typed = true;
    }
    rest = trim_left(rest);
    if (!rest.starts_with('|')) return rest.starts_with('=') || (typed && at_line_end(rest));
    rest.remove_prefix(1);
  }
}

// "(a, b) = f()", "[a] = b", "(x" that goes on in the next line.
bool is_grouped_assignment(std::string_view text) {
  std::size_t close = closing_bracket(text);
  if (close == std::string_view::npos) return text.ends_with(',') || text.size() == 1;
  return is_assignment_operator(trim_left(text.substr(close + 1)));
}

// "A docstring in plain quotes."
bool is_string(std::string_view text) {
  return text.size() > 1 && text.find(text[0], 1) == text.size() - 1;
}

// a.b[c](d), then an assignment or, for a call, the end or an operator. Words side by side are prose.
bool is_assignment_or_call(std::string_view rest) {
  bool several = false;
  while (true) {
    if (!take_dotted_name(&rest)) return false;
    bool called = false;
    while (!rest.empty() && (rest[0] == '(' || rest[0] == '[' || rest[0] == '.')) {
      if (rest[0] == '.') {
        rest.remove_prefix(1);
        if (!take_dotted_name(&rest)) return false;
        called = false;
        continue;
      }
      called = rest[0] == '(';
      std::size_t close = closing_bracket(rest);
      if (close == std::string_view::npos) return true;
      rest.remove_prefix(close + 1);
    }
    rest = trim_left(rest);
    if (is_assignment_operator(rest)) return true;
    if (called && !several &&
        (at_line_end(rest) ||
         (!rest.empty() && std::string_view("+-*/%@&|<>=").find(rest[0]) != std::string_view::npos))) {
      return true;
    }
    if (rest.empty()) return false;
    if (rest[0] == ':') return !several && is_annotation(rest.substr(1));
    if (rest[0] != ',') return false;
    several = true;
    rest = trim_left(rest.substr(1));
  }
}

bool is_docstring(std::string_view text) {
  for (int prefix = 0; prefix < 2 && !text.empty() && is_word_start(text[0]); ++prefix) text.remove_prefix(1);
  return text.starts_with("\"\"\"") || text.starts_with("'''");
}

}  // namespace

LineShape line_shape(std::string_view line) {
  std::string_view text = trim(line);
  if (text.empty()) return LineShape::kBlank;
  if (text[0] == '#') return text.starts_with("#include") ? LineShape::kOther : LineShape::kComment;
  if (text[0] == '@') return is_decorator(text.substr(1)) ? LineShape::kDefinition : LineShape::kOther;
  if (text[0] == ')' || text[0] == ']' || text[0] == '}' || text == "...") return LineShape::kStatement;
  if (is_docstring(text)) return LineShape::kStatement;
  auto either = [](bool yes, LineShape shape) { return yes ? shape : LineShape::kOther; };
  if (text[0] == '(' || text[0] == '[') return either(is_grouped_assignment(text), LineShape::kStatement);
  if (text[0] == '"' || text[0] == '\'') return either(is_string(text), LineShape::kStatement);

  std::string_view word = leading_word(text);
  std::string_view rest = text.substr(word.size());
  if (word == "async") {
    rest = trim_left(rest);
    word = leading_word(rest);
    rest = rest.substr(word.size());
  }
  if (word == "import") return either(is_import(rest), LineShape::kImport);
  if (word == "from") return either(is_from_import(rest), LineShape::kImport);
  if (word == "def") return either(is_def(rest), LineShape::kDefinition);
  if (word == "class") return either(is_class(rest), LineShape::kDefinition);
  constexpr std::array<std::string_view, 9> kBlocks = {"if",  "elif", "while",  "for",    "with",
                                                       "try", "else", "except", "finally"};
  if (is_one_of(word, kBlocks)) return either(opens_block(word, rest), LineShape::kStatement);
  constexpr std::array<std::string_view, 3> kAlone = {"pass", "break", "continue"};
  if (is_one_of(word, kAlone)) return either(at_line_end(rest), LineShape::kStatement);
  constexpr std::array<std::string_view, 7> kLeading = {"return", "raise", "assert", "del", "global", "yield", "await"};
  if (is_one_of(word, kLeading)) return LineShape::kStatement;
  return either(is_assignment_or_call(text), LineShape::kStatement);
}

}  // namespace tritonrl::text
