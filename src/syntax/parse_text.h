#pragma once

#include <string>
#include <string_view>

namespace tritonrl::syntax {

// SyntaxFailure unless the text is UTF-8 without zero bytes.
void check_text(std::string_view text);

// With \n for \r\n and \r, as Python reads files.
std::string with_plain_newlines(std::string_view text);

// A character as UTF-8; lone surrogates too, as Python's pickles have them.
void append_utf8(char32_t character, std::string& out);

}  // namespace tritonrl::syntax
