#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/large_pages.h"
#include "machine/numbers/scalar.h"
#include "runner/run_outcome.h"

namespace tritonrl::judge {

// The machine's type of a floating dtype; none for all others.
std::optional<machine::Scalar> float_scalar(program::DType dtype);

// Floating or complex.
bool has_fractions(program::DType dtype);
// Numbers of the usual whole types, and flags.
bool is_whole(program::DType dtype);

// A tensor's elements as doubles, decoded once: they are looked at many times. Complex numbers count as two elements.
class Elements {
 public:
  explicit Elements(const runner::TensorData& data);

  std::size_t count() const { return values_.size(); }
  double operator[](std::size_t i) const { return values_[i]; }

 private:
  base::LargeVector<double> values_;
};

// True of tensors of whole numbers, too.
bool all_finite(const runner::TensorData& data);

// The bytes of a floating tensor with `change` applied to each element; of a complex one to each part.
std::string changed(const runner::TensorData& data, const std::function<double(double)>& change);

}  // namespace tritonrl::judge
