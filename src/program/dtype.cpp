#include "program/dtype.h"

#include <array>

#include "base/check.h"

namespace tritonrl::program {
namespace {

struct Row {
  DType dtype;
  const char* name;
  std::int64_t bytes;
  bool floating;
};

constexpr std::array kRows = {
    Row{DType::kFloat64, "float64", 8, true},
    Row{DType::kFloat32, "float32", 4, true},
    Row{DType::kFloat16, "float16", 2, true},
    Row{DType::kBFloat16, "bfloat16", 2, true},
    Row{DType::kFloat8E4M3Fn, "float8_e4m3fn", 1, true},
    Row{DType::kFloat8E5M2, "float8_e5m2", 1, true},
    Row{DType::kFloat8E4M3FnUz, "float8_e4m3fnuz", 1, true},
    Row{DType::kFloat8E5M2FnUz, "float8_e5m2fnuz", 1, true},
    Row{DType::kInt64, "int64", 8, false},
    Row{DType::kInt32, "int32", 4, false},
    Row{DType::kInt16, "int16", 2, false},
    Row{DType::kInt8, "int8", 1, false},
    Row{DType::kUInt64, "uint64", 8, false},
    Row{DType::kUInt32, "uint32", 4, false},
    Row{DType::kUInt16, "uint16", 2, false},
    Row{DType::kUInt8, "uint8", 1, false},
    Row{DType::kBool, "bool", 1, false},
    Row{DType::kComplex64, "complex64", 8, false},
    Row{DType::kComplex128, "complex128", 16, false},
};

const Row& row_of(DType dtype) {
  const auto index = static_cast<std::size_t>(dtype);
  TRL_CHECK(index < kRows.size() && kRows[index].dtype == dtype, "the table lists the types in their order");
  return kRows[index];
}

}  // namespace

std::span<const char* const> enum_names(DType) {
  static constexpr auto kNames = [] {
    std::array<const char*, kRows.size()> out{};
    for (std::size_t i = 0; i < kRows.size(); ++i) out[i] = kRows[i].name;
    return out;
  }();
  return kNames;
}

std::string_view to_string(DType dtype) {
  return row_of(dtype).name;
}
std::int64_t size_of(DType dtype) {
  return row_of(dtype).bytes;
}
bool is_floating(DType dtype) {
  return row_of(dtype).floating;
}

std::optional<DType> dtype_from_string(std::string_view name) {
  for (const Row& row : kRows) {
    if (row.name == name) return row.dtype;
  }
  return std::nullopt;
}

}  // namespace tritonrl::program
