#include "runner/process/garbage.h"

#include <c10/util/BFloat16.h>
#include <c10/util/Float8_e4m3fn.h>
#include <c10/util/Float8_e4m3fnuz.h>
#include <c10/util/Float8_e5m2.h>
#include <c10/util/Float8_e5m2fnuz.h>
#include <c10/util/Half.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>

namespace tritonrl::runner {
namespace {

using program::DType;

std::uint64_t scrambled(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

std::uint64_t bits_at(std::uint64_t key, std::uint64_t index) {
  return scrambled(key + index * 0x9e3779b97f4a7c15ull);
}

double unit_at(std::uint64_t key, std::uint64_t index) {
  return static_cast<double>(bits_at(key, index) >> 11) * 0x1.0p-53;
}

// Box and Muller.
double normal_at(std::uint64_t key, std::uint64_t index) {
  const double u = 1 - unit_at(key, 2 * index), v = unit_at(key, 2 * index + 1);
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
}

// Writes `value_at(index)` rounded to the type; the type has `parts` such numbers. False for what is no float.
template <class T, class ValueAt>
void write_all(std::byte* data, std::int64_t offset, std::int64_t bytes, ValueAt&& value_at) {
  constexpr auto kSize = static_cast<std::int64_t>(sizeof(T));
  for (std::int64_t at = 0; at + kSize <= bytes; at += kSize) {
    const T value(static_cast<float>(value_at(static_cast<std::uint64_t>((offset + at) / kSize))));
    std::memcpy(data + at, &value, sizeof value);
  }
}

template <class ValueAt>
void write_doubles(std::byte* data, std::int64_t offset, std::int64_t bytes, ValueAt&& value_at) {
  for (std::int64_t at = 0; at + 8 <= bytes; at += 8) {
    const double value = value_at(static_cast<std::uint64_t>((offset + at) / 8));
    std::memcpy(data + at, &value, sizeof value);
  }
}

template <class ValueAt>
bool write_floats(std::byte* data, std::int64_t offset, std::int64_t bytes, DType dtype, ValueAt&& value_at) {
  switch (dtype) {
    case DType::kFloat64:
    case DType::kComplex128:
      write_doubles(data, offset, bytes, value_at);
      return true;
    case DType::kFloat32:
    case DType::kComplex64:
      write_all<float>(data, offset, bytes, value_at);
      return true;
    case DType::kFloat16:
      write_all<c10::Half>(data, offset, bytes, value_at);
      return true;
    case DType::kBFloat16:
      write_all<c10::BFloat16>(data, offset, bytes, value_at);
      return true;
    case DType::kFloat8E4M3Fn:
      write_all<c10::Float8_e4m3fn>(data, offset, bytes, value_at);
      return true;
    case DType::kFloat8E5M2:
      write_all<c10::Float8_e5m2>(data, offset, bytes, value_at);
      return true;
    case DType::kFloat8E4M3FnUz:
      write_all<c10::Float8_e4m3fnuz>(data, offset, bytes, value_at);
      return true;
    case DType::kFloat8E5M2FnUz:
      write_all<c10::Float8_e5m2fnuz>(data, offset, bytes, value_at);
      return true;
    default:
      return false;
  }
}

}  // namespace

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  return scrambled(scrambled(a + 0x9e3779b97f4a7c15ull) ^ b);
}

void fill_with_garbage(std::byte* data, std::int64_t offset, std::int64_t bytes, DType dtype, std::uint64_t key) {
  const std::uint64_t mask = dtype == DType::kBool ? 0x0101010101010101ull : ~std::uint64_t{0};
  for (std::int64_t at = 0; at < bytes; at += 8) {
    const std::uint64_t bits = bits_at(key, static_cast<std::uint64_t>(offset + at) / 8) & mask;
    std::memcpy(data + at, &bits, static_cast<std::size_t>(std::min<std::int64_t>(8, bytes - at)));
  }
}

void fill_with_data(std::byte* data, std::int64_t offset, std::int64_t bytes, DType dtype, std::uint64_t key) {
  if (dtype == DType::kBool) return fill_with_garbage(data, offset, bytes, dtype, key);
  const bool floats =
      write_floats(data, offset, bytes, dtype, [&](std::uint64_t index) { return 3 * unit_at(key, index) - 1.5; });
  if (!floats) std::memset(data, 0, static_cast<std::size_t>(bytes));
}

bool fill_with_units(std::byte* data, std::int64_t offset, std::int64_t bytes, DType dtype, std::uint64_t key) {
  return write_floats(data, offset, bytes, dtype, [&](std::uint64_t index) { return unit_at(key, index); });
}

bool fill_with_normals(std::byte* data, std::int64_t bytes, DType dtype, double scale, bool positive,
                       std::uint64_t key) {
  return write_floats(data, 0, bytes, dtype, [&](std::uint64_t index) {
    const double drawn = scale * normal_at(key, index);
    return positive ? std::abs(drawn) : drawn;
  });
}

bool fill_with_nan(std::byte* data, std::int64_t bytes, DType dtype) {
  return write_floats(data, 0, bytes, dtype, [](std::uint64_t) { return std::numeric_limits<double>::quiet_NaN(); });
}

}  // namespace tritonrl::runner
