#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace tritonrl::weights {

// Sizes of untrusted files: empty instead of wrapping around.

inline std::optional<std::size_t> checked_add(std::size_t a, std::size_t b) {
  std::size_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

inline std::optional<std::size_t> checked_multiply(std::size_t a, std::size_t b) {
  std::size_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

// Elements of a shape; empty if they cannot be counted.
inline std::optional<std::size_t> checked_elements(std::span<const std::int64_t> shape) {
  std::size_t elements = 1;
  for (const std::int64_t size : shape) {
    if (size < 0) return std::nullopt;
    const std::optional<std::size_t> product = checked_multiply(elements, static_cast<std::size_t>(size));
    if (!product) return std::nullopt;
    elements = *product;
  }
  return elements;
}

}  // namespace tritonrl::weights
