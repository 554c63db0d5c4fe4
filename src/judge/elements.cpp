#include "judge/elements.h"

#include <cstring>

#include "base/check.h"
#include "machine/numbers/float_formats.h"

namespace tritonrl::judge {

using program::DType;

std::optional<machine::Scalar> float_scalar(DType dtype) {
  switch (dtype) {
    case DType::kFloat64:
      return machine::Scalar::kF64;
    case DType::kFloat32:
      return machine::Scalar::kF32;
    case DType::kFloat16:
      return machine::Scalar::kF16;
    case DType::kBFloat16:
      return machine::Scalar::kBF16;
    case DType::kFloat8E4M3Fn:
      return machine::Scalar::kF8E4M3;
    case DType::kFloat8E5M2:
      return machine::Scalar::kF8E5M2;
    case DType::kFloat8E4M3FnUz:
      return machine::Scalar::kF8E4M3FNUZ;
    case DType::kFloat8E5M2FnUz:
      return machine::Scalar::kF8E5M2FNUZ;
    default:
      return std::nullopt;
  }
}

Elements::Elements(const runner::TensorData& data) : data_(data) {
  switch (data.dtype) {
    case DType::kComplex64:
      scalar_ = machine::Scalar::kF32;
      break;
    case DType::kComplex128:
      scalar_ = machine::Scalar::kF64;
      break;
    default:
      scalar_ = float_scalar(data.dtype);
      break;
  }
  is_unsigned_ = data.dtype == DType::kUInt64 || data.dtype == DType::kUInt32 || data.dtype == DType::kUInt16 ||
                 data.dtype == DType::kUInt8 || data.dtype == DType::kBool;
  size_ = static_cast<std::size_t>(scalar_ ? machine::size_of(*scalar_) : program::size_of(data.dtype));
}

double Elements::operator[](std::size_t i) const {
  std::uint64_t bits = 0;
  std::memcpy(&bits, data_.bytes.data() + i * size_, size_);
  if (scalar_) return machine::to_double(*scalar_, bits);
  if (is_unsigned_) return static_cast<double>(bits);
  const auto unused = static_cast<int>(64 - 8 * size_);
  return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
}

std::string changed(const runner::TensorData& data, const std::function<double(double)>& change) {
  const std::optional<machine::Scalar> scalar = float_scalar(data.dtype);
  TRL_CHECK(scalar.has_value(), "only floating tensors can be changed");
  const Elements elements(data);
  const auto size = static_cast<std::size_t>(machine::size_of(*scalar));
  std::string out(data.bytes.size(), '\0');
  for (std::size_t i = 0; i < elements.count(); ++i) {
    const std::uint64_t bits = machine::from_double(*scalar, change(elements[i]));
    std::memcpy(out.data() + i * size, &bits, size);
  }
  return out;
}

}  // namespace tritonrl::judge
