#pragma once

#include <string>
#include <string_view>

namespace tritonrl::text {

// Any bytes to UTF-8 that Python can read: LF line ends, no BOM, no NUL, U+FFFD for what is not UTF-8,
// and indentation of spaces and tabs only (no-break and wide spaces become a space, zero-width characters go).
std::string clean_bytes(std::string_view bytes);

// What one odd character at the start of `text` stands for in code: nothing, or a space. `length` is 0 for all others.
struct OddSpace {
  std::size_t length = 0;
  bool visible = false;
};
OddSpace odd_space(std::string_view text);

}  // namespace tritonrl::text
