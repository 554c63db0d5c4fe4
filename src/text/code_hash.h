#pragma once

#include <string>
#include <string_view>

namespace tritonrl::text {

// Tells programs apart that differ in more than layout and comments; empty for no code.
std::string code_hash(std::string_view code);

}  // namespace tritonrl::text
