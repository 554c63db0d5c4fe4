#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tritonrl::cli {

// The name that was most likely meant: few letters wrong, missing, too many or swapped, or cut off. Empty: none is
// near.
std::string nearest_name(std::string_view written, const std::vector<std::string>& names);

// "; did you mean NAME?", or nothing.
std::string did_you_mean(std::string_view written, const std::vector<std::string>& names);

}  // namespace tritonrl::cli
