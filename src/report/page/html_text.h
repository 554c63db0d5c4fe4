#pragma once

#include <string>
#include <string_view>

namespace tritonrl::report {

// Any bytes as text of an HTML page, in an element or in a quoted attribute. Nothing of them is markup afterwards; what
// is no UTF-8, and control characters, become U+FFFD; characters that turn the direction of text are named, so that
// code cannot look like other code.
std::string html_text(std::string_view text);

// The first `most` bytes or fewer, whole characters, with "…" where something was left out.
std::string shortened(std::string_view text, std::size_t most);

}  // namespace tritonrl::report
