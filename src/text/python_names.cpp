#include "text/python_names.h"

#include <string>
#include <vector>

#include "text/chars.h"
#include "text/python_scan.h"

namespace tritonrl::text {
namespace {

struct Token {
  std::string_view text;
  int depth = 0;  // brackets open before it
};

const std::unordered_set<std::string_view>& keywords() {
  static const std::unordered_set<std::string_view> kWords = {
      "False",    "None",   "True",  "and",    "as",   "assert", "async",   "await",    "break",
      "class",    "def",    "del",   "elif",   "else", "except", "finally", "for",      "from",
      "continue", "global", "if",    "import", "in",   "is",     "lambda",  "nonlocal", "not",
      "or",       "pass",   "raise", "return", "try",  "while",  "with",    "yield"};
  return kWords;
}

bool is_name(const Token& token) {
  return is_word_start(token.text[0]) && !keywords().contains(token.text);
}

// Names, numbers and punctuation of the bytes that are code; "=" stays apart from "==", "<=", "+=" and ":=".
void tokenize(std::string_view line, std::string_view kinds, int* depth, std::vector<Token>* tokens) {
  for (std::size_t i = 0; i < line.size();) {
    char c = line[i];
    if (kinds[i] != kCode || is_blank(c) || c == '\\') {
      ++i;
      continue;
    }
    std::size_t n = 1;
    if (is_word(c)) {
      while (i + n < line.size() && kinds[i + n] == kCode && is_word(line[i + n])) ++n;
    } else if (std::string_view("=!<>+-*/%@&|^:").find(c) != std::string_view::npos) {
      while (i + n < line.size() && n < 3 && (line[i + n] == '=' || (line[i + n] == c && c != '='))) ++n;
      if (c == '=' && n > 2) n = 2;
    }
    if ((c == ')' || c == ']' || c == '}') && *depth > 0) --*depth;
    tokens->push_back({line.substr(i, n), *depth});
    if (c == '(' || c == '[' || c == '{') ++*depth;
    i += n;
  }
}

class NameCollector {
 public:
  explicit NameCollector(PythonNames* names) : names_(names) {}

  void statement(const std::vector<Token>& tokens, bool in_class) {
    if (tokens.empty()) return;
    std::string_view first = tokens[0].text;
    if (first == "import" || first == "from") return import(tokens);
    if (first == "global" || first == "nonlocal") return;
    std::size_t targets = assignment_targets(tokens);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      std::string_view word = tokens[i].text;
      std::string_view previous = i > 0 ? tokens[i - 1].text : "";
      std::string_view next = i + 1 < tokens.size() ? tokens[i + 1].text : "";
      if (word == "def" || word == "class") {
        if (i + 1 < tokens.size() && !in_class) names_->bound.insert(next);
        if (word == "def") parameters_from_ = i + 2 < tokens.size() ? tokens[i + 2].depth + 1 : 0;
        ++i;
      } else if (word == "lambda") {
        lambda_depth_ = tokens[i].depth;
      } else if (word == "for") {
        in_for_ = true;
      } else if (word == "in") {
        in_for_ = false;
      } else if (word == ":" && lambda_depth_ == tokens[i].depth) {
        lambda_depth_ = -1;
      } else if (word == ")" && parameters_from_ == tokens[i].depth + 1) {
        parameters_from_ = 0;
      } else if (is_name(tokens[i]) && previous != ".") {
        bool parameter = is_parameter(tokens[i].depth, previous);
        bool grouped = tokens[i].depth == 0 || first == "(" || first == "[";
        bool target = i < targets && grouped && next != "." && next != "[" && next != "(";
        if (parameter || target || in_for_ || previous == "as" || next == ":=") {
          names_->bound.insert(word);
        } else if (next != "=" || tokens[i].depth == 0) {
          names_->used.insert(word);
        }
      }
    }
    parameters_from_ = 0;
    lambda_depth_ = -1;
    in_for_ = false;
  }

 private:
  bool is_parameter(int depth, std::string_view previous) const {
    bool first = previous == "," || previous == "*" || previous == "**";
    if (parameters_from_ > 0 && depth == parameters_from_) return first || previous == "(";
    return lambda_depth_ >= 0 && depth == lambda_depth_ && (first || previous == "lambda");
  }

  // How many tokens stand left of the last "=" of an assignment; an annotated one binds its first token only.
  static std::size_t assignment_targets(const std::vector<Token>& tokens) {
    if (tokens.size() > 1 && tokens[1].text == ":" && is_name(tokens[0])) return 1;
    std::size_t targets = 0;
    for (std::size_t i = 0; i < tokens.size() && tokens[i].text != "lambda"; ++i) {
      if (tokens[i].text == "=" && tokens[i].depth == 0) targets = i;
    }
    return targets;
  }

  void import(const std::vector<Token>& tokens) {
    std::size_t i = 1;
    bool from = tokens[0].text == "from";
    while (from && i < tokens.size() && tokens[i].text != "import") ++i;
    if (from) ++i;
    for (; i < tokens.size(); ++i) {
      if (!is_name(tokens[i]) || tokens[i - 1].text == ".") continue;
      // "import a.b" binds a, "a as b" binds b only.
      std::size_t after = i + 1;
      while (after + 1 < tokens.size() && tokens[after].text == ".") after += 2;
      if (after < tokens.size() && tokens[after].text == "as") {
        i = after;
        if (i + 1 < tokens.size()) names_->bound.insert(tokens[++i].text);
      } else {
        names_->bound.insert(tokens[i].text);
      }
    }
  }

  PythonNames* names_;
  int parameters_from_ = 0;  // the depth of the parameters of the def being read, 0: none
  int lambda_depth_ = -1;
  bool in_for_ = false;
};

// Which blocks are open, by indentation; methods of a class are no names of the module.
class BlockStack {
 public:
  // Returns whether the line stands directly in a class.
  bool enter(std::size_t indent, bool opens_class) {
    while (!blocks_.empty() && blocks_.back().indent >= indent) blocks_.pop_back();
    bool in_class = !blocks_.empty() && blocks_.back().is_class;
    blocks_.push_back({indent, opens_class});
    return in_class;
  }

 private:
  struct Block {
    std::size_t indent;
    bool is_class;
  };
  std::vector<Block> blocks_;
};

}  // namespace

PythonNames python_names(std::string_view code) {
  PythonNames names;
  NameCollector collector(&names);
  BlockStack blocks;
  PythonScanner scanner;
  std::vector<Token> tokens;
  std::string kinds;
  int depth = 0;
  bool in_class = false;
  auto finish = [&] {
    collector.statement(tokens, in_class);
    tokens.clear();
    depth = 0;
  };
  LineCursor lines(code);
  while (lines.next()) {
    std::string_view line = lines.line();
    if (!scanner.in_statement()) {
      finish();
      std::string_view text = trim(line);
      if (!text.empty() && text[0] != '#') in_class = blocks.enter(indentation(line), leading_word(text) == "class");
    }
    kinds.clear();
    scanner.scan(line, &kinds);
    tokenize(line, kinds, &depth, &tokens);
  }
  finish();
  return names;
}

}  // namespace tritonrl::text
