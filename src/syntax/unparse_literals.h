#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tritonrl::syntax {

// Python's spellings of constants, appended. Texts are UTF-8 in which lone surrogates may stand, as Python's can.

// `repr` of a text and of bytes.
void append_text_repr(std::string_view text, std::string& out);
void append_bytes_repr(std::string_view bytes, std::string& out);

// `repr` of a float, but as a literal that can be read again: 1e309 for infinity.
void append_real(double value, std::string& out);
// The same of an imaginary number: "2j", "1.5j".
void append_imaginary(double value, std::string& out);

// Unsigned integers of any length: `digits` in base 2, 8, 10 or 16, to decimal.
std::string decimal_from_digits(std::string_view digits, unsigned base);

// A literal that avoids backslashes, as unparse writes docstrings and what stands within f-strings.
struct Quoted {
  std::string inside;                    // with escapes where they must be
  std::vector<std::string_view> quotes;  // that may stand around it, best first; never empty
};
inline constexpr std::string_view kAllQuotes[] = {"'", "\"", "\"\"\"", "'''"};
inline constexpr std::string_view kLongQuotes[] = {"\"\"\"", "'''"};
Quoted quote(std::string_view text, const std::vector<std::string_view>& allowed, bool escape_white);
void append_quoted(std::string_view text, const std::vector<std::string_view>& allowed, std::string& out);

}  // namespace tritonrl::syntax
