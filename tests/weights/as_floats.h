#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/check.h"
#include "weights/tensor_files.h"

namespace tritonrl::weights {

// The elements of a floating-point tensor, widened. Plain and slow, unlike what it checks.
inline std::vector<float> as_floats(const StoredTensor& tensor) {
  const std::size_t width = size_of(tensor.info.dtype), count = tensor.data.size() / width;
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, tensor.data.data() + i * width, width);
    if (tensor.info.dtype == Dtype::kF32) {
      values[i] = std::bit_cast<float>(bits);
    } else if (tensor.info.dtype == Dtype::kBf16) {
      values[i] = std::bit_cast<float>(bits << 16);
    } else {
      TRL_CHECK(tensor.info.dtype == Dtype::kF16, "a floating-point type");
      const int exponent = static_cast<int>(bits >> 10 & 31), fraction = static_cast<int>(bits & 1023);
      const double size = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
      values[i] = static_cast<float>((bits & 0x8000) != 0 ? -size : size);
    }
  }
  return values;
}

}  // namespace tritonrl::weights
