#include "judge/elements.h"

#include <cmath>
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

namespace {

template <class T>
base::LargeVector<double> decoded(const std::string& bytes) {
  base::LargeVector<double> out(bytes.size() / sizeof(T));
  for (std::size_t i = 0; i < out.size(); ++i) {
    T value;
    std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
    out[i] = static_cast<double>(value);
  }
  return out;
}

base::LargeVector<double> decoded(const std::string& bytes, machine::Scalar scalar) {
  const auto size = static_cast<std::size_t>(machine::size_of(scalar));
  base::LargeVector<double> out(bytes.size() / size);
  for (std::size_t i = 0; i < out.size(); ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + i * size, size);
    out[i] = machine::to_double(scalar, bits);
  }
  return out;
}

base::LargeVector<double> decoded(const runner::TensorData& data) {
  switch (data.dtype) {
    case DType::kComplex64:
    case DType::kFloat32:
      return decoded<float>(data.bytes);
    case DType::kComplex128:
    case DType::kFloat64:
      return decoded<double>(data.bytes);
    case DType::kInt64:
      return decoded<std::int64_t>(data.bytes);
    case DType::kInt32:
      return decoded<std::int32_t>(data.bytes);
    case DType::kInt16:
      return decoded<std::int16_t>(data.bytes);
    case DType::kInt8:
      return decoded<std::int8_t>(data.bytes);
    case DType::kUInt64:
      return decoded<std::uint64_t>(data.bytes);
    case DType::kUInt32:
      return decoded<std::uint32_t>(data.bytes);
    case DType::kUInt16:
      return decoded<std::uint16_t>(data.bytes);
    case DType::kUInt8:
    case DType::kBool:
      return decoded<std::uint8_t>(data.bytes);
    default:
      const std::optional<machine::Scalar> scalar = float_scalar(data.dtype);
      TRL_CHECK(scalar.has_value(), "a type without values");
      return decoded(data.bytes, *scalar);
  }
}

}  // namespace

Elements::Elements(const runner::TensorData& data) : values_(decoded(data)) {}

bool has_fractions(DType dtype) {
  return dtype == DType::kComplex64 || dtype == DType::kComplex128 || float_scalar(dtype).has_value();
}

bool is_whole(DType dtype) {
  switch (dtype) {
    case DType::kInt8:
    case DType::kInt16:
    case DType::kInt32:
    case DType::kInt64:
    case DType::kUInt8:
    case DType::kBool:
      return true;
    default:
      return false;
  }
}

bool all_finite(const runner::TensorData& data) {
  if (!has_fractions(data.dtype)) return true;
  const Elements elements(data);
  for (std::size_t i = 0; i < elements.count(); ++i) {
    if (!std::isfinite(elements[i])) return false;
  }
  return true;
}

std::string changed(const runner::TensorData& data, const std::function<double(double)>& change) {
  const std::optional<machine::Scalar> scalar = data.dtype == DType::kComplex64    ? machine::Scalar::kF32
                                                : data.dtype == DType::kComplex128 ? machine::Scalar::kF64
                                                                                   : float_scalar(data.dtype);
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
