#include "text/python_outline.h"

#include <string>

#include "text/chars.h"
#include "text/python_names.h"
#include "text/python_scan.h"

namespace tritonrl::text {
namespace {

// else, except and the like go on with the statement above them.
bool goes_on(std::string_view line) {
  std::string_view word = leading_word(line);
  return word == "else" || word == "elif" || word == "except" || word == "finally";
}

std::string_view defined_name(std::string_view line, TopStatement::Kind* kind) {
  std::string_view word = leading_word(line);
  if (word == "async") {
    line = trim_left(line.substr(word.size()));
    word = leading_word(line);
  }
  if (word != "def" && word != "class") return {};
  *kind = word == "def" ? TopStatement::Kind::kFunction : TopStatement::Kind::kClass;
  return leading_word(trim_left(line.substr(word.size())));
}

void describe(TopStatement* statement) {
  LineCursor lines(statement->text);
  while (lines.next()) {
    std::string_view name = defined_name(lines.line(), &statement->kind);
    if (!name.empty()) {
      statement->names = {name};
      return;
    }
    // Only the lines of decorators stand in front of a definition.
    if (!statement->text.starts_with('@')) break;
  }
  std::string_view word = leading_word(statement->text);
  if (word == "import" || word == "from") statement->kind = TopStatement::Kind::kImport;
  PythonNames names = python_names(statement->text);
  statement->names.assign(names.bound.begin(), names.bound.end());
}

// The last byte of the line that is code and no space, 0 if there is none.
char last_code_byte(std::string_view line, std::string_view kinds) {
  for (std::size_t i = line.size(); i-- > 0;) {
    if (kinds[i] == kString) return 's';
    if (kinds[i] == kCode && !is_blank(line[i])) return line[i];
  }
  return 0;
}

}  // namespace

PythonOutline python_outline(std::string_view code) {
  PythonOutline outline;
  PythonScanner scanner;
  std::string kinds;
  std::size_t begin = 0, end = 0;
  bool open = false, decorated = false, decorator_last = false;
  char last = 0;
  auto finish = [&] {
    if (!open) return;
    TopStatement statement;
    statement.text = code.substr(begin, end - begin);
    describe(&statement);
    outline.statements.push_back(std::move(statement));
    open = false;
  };
  LineCursor lines(code);
  while (lines.next()) {
    std::string_view line = lines.line();
    std::string_view text = trim(line);
    bool fresh = !scanner.in_statement();
    if (fresh && !text.empty() && text[0] != '#') {
      if (indentation(line) == 0 && !goes_on(line) && !decorated) {
        finish();
        open = true;
        begin = lines.begin();
      }
      decorator_last = text[0] == '@';
      decorated = indentation(line) == 0 && decorator_last;
    }
    kinds.clear();
    scanner.scan(line, &kinds);
    if (char c = last_code_byte(line, kinds); c != 0) last = c;
    if (!text.empty() && (!fresh || text[0] != '#' || indentation(line) > 0)) end = lines.end();
  }
  finish();
  bool unfinished = std::string_view(":=+-*/,.%&|^<>\\@").find(last) != std::string_view::npos && last != 0;
  outline.cut = scanner.in_statement() || unfinished || decorator_last;
  return outline;
}

}  // namespace tritonrl::text
