#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace tritonrl::text {

// Byte-level vocabularies write every byte as a printable character: itself where it is one in Latin-1, else one from
// U+0100 on.
const std::array<std::string, 256>& byte_alphabet();  // by byte, in UTF-8

std::string to_byte_alphabet(std::string_view bytes);
// Empty if a character of `token` is not of the alphabet.
std::optional<std::string> from_byte_alphabet(std::string_view token);

}  // namespace tritonrl::text
