#pragma once

#include <string>
#include <string_view>

namespace tritonrl::text {

// Tells programs apart that differ in more than comments and the spacing within lines; empty for no code. The
// indentation of lines counts: it is what they mean.
std::string code_hash(std::string_view code);

}  // namespace tritonrl::text
