#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tritonrl::syntax {

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
  kFalse,
  kNone,
  kTrue,
  kAnd,
  kAs,
  kAssert,
  kAsync,
  kAwait,
  kBreak,
  kClass,
  kContinue,
  kDef,
  kDel,
  kElif,
  kElse,
  kExcept,
  kFinally,
  kFor,
  kFrom,
  kGlobal,
  kIf,
  kImport,
  kIn,
  kIs,
  kLambda,
  kNonlocal,
  kNot,
  kOr,
  kPass,
  kRaise,
  kReturn,
  kTry,
  kWhile,
  kWith,
  kYield
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
