#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "teacher/kernels/source_kernel.h"

namespace tritonrl::teacher {

// An operator's arguments as the kernels of this folder ask for them: what is known of each, and its name in the host
// function.
class KernelArguments {
 public:
  // `named` may be empty where only facts are asked for. Both must outlive it.
  KernelArguments(const Bound& bound, std::span<const NamedArgument> named) : bound_(bound), named_(named) {}

  std::string_view op() const { return bound_.op->name; }

  // None where the operator has no such parameter.
  const Fact* fact(std::string_view parameter) const;
  bool given(std::string_view parameter) const;  // neither missing nor None
  const std::string& name(std::string_view parameter) const;

  // A tensor of float32, float16 or bfloat16, which kernels load as float32.
  bool is_float(std::string_view parameter) const;
  static bool is_float(const Fact& fact);
  const Shape& shape(std::string_view parameter) const;

  // A constant; `otherwise` where the operator has no such parameter. None: it varies or is of another kind.
  std::optional<std::int64_t> integer(std::string_view parameter, std::int64_t otherwise) const;
  bool is_false(std::string_view parameter) const;  // or missing

  // One number or one an axis: whether the kernels can read it, and the line that names its parts:
  // "SH, SW = stride", "SH = SW = stride".
  bool is_per_axis(std::string_view parameter, std::size_t axes) const;
  std::string unpack(std::string_view parameter, const std::vector<std::string>& parts) const;
  // The part of one axis as an expression: "output_padding[1]".
  std::string part(std::string_view parameter, std::size_t axis) const;

  // Tensor parameters in order.
  std::vector<std::string_view> tensors() const;
  // The names of a parameter that takes several tensors ("*operands"), in order.
  std::vector<std::string> names(std::string_view parameter) const;

 private:
  const Bound& bound_;
  std::span<const NamedArgument> named_;
};

}  // namespace tritonrl::teacher
