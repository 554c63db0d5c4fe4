#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tritonrl::base {

std::string base64_encode(std::string_view bytes);
// Nothing if the text is not padded standard base64.
std::optional<std::string> base64_decode(std::string_view text);

}  // namespace tritonrl::base
