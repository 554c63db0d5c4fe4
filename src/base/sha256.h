#pragma once

#include <string>
#include <string_view>

namespace tritonrl::base {

// The SHA-256 of the bytes in 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace tritonrl::base
