#pragma once

#include <cstdint>
#include <string_view>

namespace tritonrl::track {

// CRC-32C (Castagnoli), as TFRecord files have it.
std::uint32_t crc32c(std::string_view bytes);

// As it is stored: turned and shifted, so that the checksum of bytes that hold checksums is none of a checksum.
std::uint32_t masked_crc32c(std::string_view bytes);

}  // namespace tritonrl::track
