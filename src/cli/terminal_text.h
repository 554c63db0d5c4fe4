#pragma once

#include <string>
#include <string_view>

namespace tritonrl::cli {

bool stdout_is_terminal();

// Whether a terminal would obey parts of the text (control characters but tab and newline) or cannot show them (no
// UTF-8): what models and candidates write may be anything.
bool is_binary(std::string_view text);
// The same text with U+FFFD in place of such parts.
std::string without_binary(std::string_view text);

// To the standard output: as it is, or without_binary() on a terminal.
void print(std::string_view text);

}  // namespace tritonrl::cli
