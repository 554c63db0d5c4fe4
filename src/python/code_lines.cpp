#include "python/code_lines.h"

#include <algorithm>

#include "syntax/lexer.h"

namespace tritonrl::python {
namespace {

// Lines of which a token of several lines (a string) or a line that goes on by \ keeps all.
struct Kept {
  std::vector<bool> whole;          // keep the line as it is
  std::vector<std::size_t> length;  // else so many of its bytes
};

bool has_text(syntax::Token token) {
  using syntax::Token;
  return token != Token::kEnd && token != Token::kNewline && token != Token::kIndent && token != Token::kDedent;
}

Kept kept_of(const std::vector<std::string>& lines, const std::string& text) {
  std::vector<syntax::PlacedToken> tokens;
  syntax::lex_python(text, tokens);
  Kept out{std::vector<bool>(lines.size(), false), std::vector<std::size_t>(lines.size(), 0)};
  std::vector<std::size_t> begins(1, 0);
  for (const std::string& line : lines) begins.push_back(begins.back() + line.size() + 1);
  const auto line_at = [&](std::size_t at) {
    return static_cast<std::size_t>(std::ranges::upper_bound(begins, at) - begins.begin()) - 1;
  };
  for (const syntax::PlacedToken& token : tokens) {
    if (!has_text(token.type) || token.end <= token.begin) continue;
    const std::size_t first = line_at(token.begin), last = line_at(token.end - 1);
    for (std::size_t line = first; line < last; ++line) out.whole[line] = true;
    out.length[last] = std::max(out.length[last], token.end - begins[last]);
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    // after the last token there is a comment, or a \ by which the line goes on
    const std::size_t more = lines[i].find_first_not_of(" \t", out.length[i]);
    if (more != std::string::npos && lines[i][more] == '\\') out.whole[i] = true;
  }
  return out;
}

}  // namespace

CodeLines code_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  Kept kept{std::vector<bool>(lines.size(), true), {}};
  try {
    kept = kept_of(lines, text);
  } catch (const syntax::SyntaxFailure&) {
    // Python will say what is wrong with it
  }
  CodeLines out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!kept.whole[i] && kept.length[i] == 0) continue;
    out.text += (kept.whole[i] ? lines[i] : lines[i].substr(0, kept.length[i])) + "\n";
    out.from.push_back(static_cast<int>(i));
  }
  return out;
}

}  // namespace tritonrl::python
