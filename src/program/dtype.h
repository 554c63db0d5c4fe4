#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tritonrl::program {

// Element types under torch's own names ("float32", "bfloat16", "bool", …).
enum class DType : std::uint8_t {
  kFloat64,
  kFloat32,
  kFloat16,
  kBFloat16,
  kFloat8E4M3Fn,
  kFloat8E5M2,
  kFloat8E4M3FnUz,
  kFloat8E5M2FnUz,
  kInt64,
  kInt32,
  kInt16,
  kInt8,
  kUInt64,
  kUInt32,
  kUInt16,
  kUInt8,
  kBool,
  kComplex64,
  kComplex128,
};

std::span<const char* const> enum_names(DType);
std::string_view to_string(DType dtype);
std::optional<DType> dtype_from_string(std::string_view name);
std::int64_t size_of(DType dtype);  // bytes
bool is_floating(DType dtype);      // complex types are not

}  // namespace tritonrl::program
