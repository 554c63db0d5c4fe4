#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace tritonrl::weights {

// Element types that safetensors names and torch has.
enum class Dtype { kF64, kF32, kF16, kBf16, kI64, kI32, kI16, kI8, kU8, kBool };

// Whether its elements are what weights are; an integer is one only with the scales of a quantisation.
constexpr bool is_floating(Dtype dtype) {
  return dtype == Dtype::kF64 || dtype == Dtype::kF32 || dtype == Dtype::kF16 || dtype == Dtype::kBf16;
}

std::size_t size_of(Dtype dtype);
std::string_view safetensors_name(Dtype dtype);  // "F32", "BF16", …
std::optional<Dtype> from_safetensors_name(std::string_view name);

}  // namespace tritonrl::weights
