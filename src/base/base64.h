#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tritonrl::base {

std::string base64_encode(std::string_view bytes);
// Nothing if the text is not padded standard base64.
std::optional<std::string> base64_decode(std::string_view text);
// Tables of our own as text: whole numbers as source maps write them ("base64 VLQ", without its sign), five bits a
// digit, the lowest first; the sixth bit says that more follow.
std::vector<std::uint32_t> base64_numbers(std::string_view text);

}  // namespace tritonrl::base
