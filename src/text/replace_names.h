#pragma once

#include <map>
#include <string>
#include <string_view>

namespace tritonrl::text {

// The text with every whole word that is a key of `names` replaced by its value; comments and texts in quotes too.
std::string replace_names(std::string_view text, const std::map<std::string, std::string, std::less<>>& names);

}  // namespace tritonrl::text
