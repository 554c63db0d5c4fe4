#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "weights/dtype.h"

namespace tritonrl::weights {

// How a GGUF file stores a tensor's elements; the values are the file's.
enum class GgufType : std::uint32_t { kF32 = 0, kF16 = 1, kQ4_0 = 2, kQ4_1 = 3, kQ8_0 = 8, kQ6_K = 14, kBf16 = 30 };

struct GgufBlock {
  std::size_t elements;  // each row is a whole number of blocks
  std::size_t bytes;
};

// Empty for a type that is not read.
std::optional<GgufType> gguf_type(std::uint32_t number);
// "Q4_K" or "type 77": for messages.
std::string gguf_type_name(std::uint32_t number);
// "F32, F16, BF16, Q8_0, …"
std::string_view supported_gguf_types();

GgufBlock block_of(GgufType type);
// The type that its elements have for us: F16 and BF16 stay what they are, everything quantised is unpacked to F32.
Dtype loaded_dtype(GgufType type);
bool is_quantised(GgufType type);

// Unpacks whole blocks of a quantised type; `values` holds exactly their elements. Bit for bit what the reference
// Python package computes.
void unpack_blocks(GgufType type, std::span<const std::byte> blocks, std::span<float> values);

}  // namespace tritonrl::weights
