#include "judge/compare.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <optional>

#include "machine/arithmetic/float_formats.h"

namespace tritonrl::judge {
namespace {

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

// Element `i` as a double; complex numbers count as two elements.
class Elements {
 public:
  explicit Elements(const runner::TensorData& data) : data_(data) {
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
    size_ = static_cast<std::size_t>(scalar_ ? machine::size_of(*scalar_) : program::size_of(data.dtype));
  }

  std::size_t count() const { return data_.bytes.size() / size_; }

  double operator[](std::size_t i) const {
    std::uint64_t bits = 0;
    std::memcpy(&bits, data_.bytes.data() + i * size_, size_);
    if (scalar_) return machine::to_double(*scalar_, bits);
    const bool is_unsigned = data_.dtype == DType::kUInt64 || data_.dtype == DType::kUInt32 ||
                             data_.dtype == DType::kUInt16 || data_.dtype == DType::kUInt8 ||
                             data_.dtype == DType::kBool;
    if (is_unsigned) return static_cast<double>(bits);
    const auto unused = static_cast<int>(64 - 8 * size_);
    return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
  }

 private:
  const runner::TensorData& data_;
  std::optional<machine::Scalar> scalar_;
  std::size_t size_ = 1;
};

std::string text(double value) {
  char buffer[40];
  std::snprintf(buffer, sizeof(buffer), "%.9g", value);
  return buffer;
}

std::string text(const std::vector<std::int64_t>& sizes) {
  std::string out;
  for (const std::int64_t size : sizes) out += (out.empty() ? "" : ", ") + std::to_string(size);
  return "[" + out + "]";
}

}  // namespace

Tolerance tolerance_of(DType dtype) {
  switch (dtype) {
    case DType::kFloat64:
    case DType::kFloat32:
    case DType::kComplex64:
    case DType::kComplex128:
      return {1e-4, 1e-4};
    default:
      return float_scalar(dtype) ? Tolerance{1e-2, 1e-2} : Tolerance{};
  }
}

Comparison compare(const std::vector<runner::TensorData>& expected, const std::vector<runner::TensorData>& got) {
  Comparison result;
  const auto differ = [&](const std::string& message) {
    result.equal = false;
    if (result.message.empty()) result.message = message;
  };
  if (expected.size() != got.size()) {
    differ("the reference gives " + std::to_string(expected.size()) + " tensors, the candidate " +
           std::to_string(got.size()));
    return result;
  }
  for (std::size_t t = 0; t < expected.size(); ++t) {
    const std::string name = "output " + std::to_string(t);
    if (expected[t].sizes != got[t].sizes) {
      differ(name + " has the shape " + text(got[t].sizes) + "; expected " + text(expected[t].sizes));
      continue;
    }
    const Tolerance tolerance = tolerance_of(expected[t].dtype);
    const Elements want(expected[t]);
    const Elements have(got[t]);
    for (std::size_t i = 0; i < std::min(want.count(), have.count()); ++i) {
      const double a = want[i];
      const double b = have[i];
      if (a == b || (std::isnan(a) && std::isnan(b))) continue;
      const double error = std::abs(a - b);
      const double allowed = tolerance.atol + tolerance.rtol * std::abs(a);
      const bool bad = !std::isfinite(a) || !(error <= allowed);
      if (std::isfinite(error)) {
        result.max_error = std::max(result.max_error, error);
        if (allowed > 0) result.max_excess = std::max(result.max_excess, error / allowed);
      }
      if (bad)
        differ(name + ", element " + std::to_string(i) + " of " + std::to_string(want.count()) + ": expected " +
               text(a) + ", got " + text(b));
    }
  }
  return result;
}

}  // namespace tritonrl::judge
