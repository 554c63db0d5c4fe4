#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "machine/numbers/scalar.h"
#include "runner/run_outcome.h"

namespace tritonrl::judge {

// The machine's type of a floating dtype; none for all others.
std::optional<machine::Scalar> float_scalar(program::DType dtype);

// A tensor's elements as doubles; complex numbers count as two elements. Keeps a reference to the data.
class Elements {
 public:
  explicit Elements(const runner::TensorData& data);

  std::size_t count() const { return data_.bytes.size() / size_; }
  double operator[](std::size_t i) const;

 private:
  const runner::TensorData& data_;
  std::optional<machine::Scalar> scalar_;
  bool is_unsigned_ = false;
  std::size_t size_ = 1;
};

// The bytes of a floating tensor with `change` applied to each element.
std::string changed(const runner::TensorData& data, const std::function<double(double)>& change);

}  // namespace tritonrl::judge
