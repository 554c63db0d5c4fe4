#pragma once

namespace tritonrl::syntax {

// What `str.isprintable` of Python 3.11 (Unicode 14.0) says of a character: the others are written as escapes.
bool is_printable(char32_t character);

}  // namespace tritonrl::syntax
