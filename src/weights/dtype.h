#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace tritonrl::weights {

// Element types that safetensors names and torch has.
enum class Dtype { kF64, kF32, kF16, kBf16, kI64, kI32, kI16, kI8, kU8, kBool };

std::size_t size_of(Dtype dtype);
std::string_view safetensors_name(Dtype dtype);  // "F32", "BF16", …
std::optional<Dtype> from_safetensors_name(std::string_view name);

}  // namespace tritonrl::weights
