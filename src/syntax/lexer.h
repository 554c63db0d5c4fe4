#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tritonrl::syntax {

// clang-format off
#define TRITONRL_KEYWORDS(X)                                                                                      \
  X(False, "False") X(None, "None") X(True, "True") X(And, "and") X(As, "as") X(Assert, "assert")                 \
  X(Async, "async") X(Await, "await") X(Break, "break") X(Class, "class") X(Continue, "continue") X(Def, "def")   \
  X(Del, "del") X(Elif, "elif") X(Else, "else") X(Except, "except") X(Finally, "finally") X(For, "for")           \
  X(From, "from") X(Global, "global") X(If, "if") X(Import, "import") X(In, "in") X(Is, "is")                     \
  X(Lambda, "lambda") X(Nonlocal, "nonlocal") X(Not, "not") X(Or, "or") X(Pass, "pass") X(Raise, "raise")         \
  X(Return, "return") X(Try, "try") X(While, "while") X(With, "with") X(Yield, "yield")
// clang-format on

enum class Token : std::uint8_t {
  kEnd,
  kNewline,
  kIndent,
  kDedent,
  kName,
  kNumber,
  kString,
  // Signs.
  kOpenRound,
  kCloseRound,
  kOpenSquare,
  kCloseSquare,
  kOpenCurly,
  kCloseCurly,
  kColon,
  kComma,
  kSemicolon,
  kDot,
  kEllipsis,
  kArrow,
  kAt,
  kWalrus,
  kTilde,
  kPlus,
  kMinus,
  kStar,
  kSlash,
  kDoubleSlash,
  kPercent,
  kBar,
  kCaret,
  kAmpersand,
  kShiftLeft,
  kShiftRight,
  kDoubleStar,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kAssign,
  // Assignments with an operator.
  kPlusAssign,
  kMinusAssign,
  kStarAssign,
  kSlashAssign,
  kDoubleSlashAssign,
  kPercentAssign,
  kAtAssign,
  kBarAssign,
  kCaretAssign,
  kAmpersandAssign,
  kShiftLeftAssign,
  kShiftRightAssign,
  kDoubleStarAssign,
// Keywords.
#define TRITONRL_KEYWORD(name, word) k##name,
  TRITONRL_KEYWORDS(TRITONRL_KEYWORD)
#undef TRITONRL_KEYWORD
};

struct PlacedToken {
  Token type = Token::kEnd;
  std::uint32_t begin = 0, end = 0;                        // in the text
  int line = 0, column = 0, end_line = 0, end_column = 0;  // as SyntaxNode's
};

// Why a text cannot be read. Thrown by the lexer and the parser, caught by parse.
struct SyntaxFailure {
  std::string message;
  int line = 0;
};

// Appends the tokens of a whole text, whose lines end with \n alone, and then kEnd. Names are ASCII.
void lex_python(std::string_view text, std::vector<PlacedToken>& out);

// The same of an expression within an f-string, from `begin` to `end` of the text, as if it stood in parentheses. The
// text's line `line` begins at `line_begin`. No kEnd.
void lex_embedded(std::string_view text, std::uint32_t begin, std::uint32_t end, int line, std::uint32_t line_begin,
                  std::vector<PlacedToken>& out);

}  // namespace tritonrl::syntax
