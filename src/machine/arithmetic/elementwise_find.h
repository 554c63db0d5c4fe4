#pragma once

#include <span>
#include <string_view>

#include "machine/arithmetic/elementwise.h"
#include "machine/arithmetic/elementwise_loop.h"

namespace tritonrl::machine {

// The parts of find_elementwise, one for each family; a result without `run` is "not mine".

struct ElementwiseRequest {
  std::string_view name;  // "arith.addf"
  const Operation& op;
  std::span<const Scalar> in;  // index as i64; pointers as themselves
  Scalar out;
  Scalar element;
  int result = 0;

  bool has_operands(std::size_t count) const { return in.size() == count; }
  // `count` operands and the result, all of one type.
  bool is_uniform(std::size_t count) const {
    if (in.size() != count) return false;
    for (const Scalar scalar : in) {
      if (scalar != out) return false;
    }
    return true;
  }
};

ElementwiseOp find_integer_arithmetic(const ElementwiseRequest& request);
ElementwiseOp find_integer_division(const ElementwiseRequest& request);
ElementwiseOp find_float_arithmetic(const ElementwiseRequest& request);
ElementwiseOp find_comparison(const ElementwiseRequest& request);    // cmpi, cmpf, select, math.isnan and its like
ElementwiseOp find_integer_cast(const ElementwiseRequest& request);  // pointers too
ElementwiseOp find_float_cast(const ElementwiseRequest& request);
ElementwiseOp find_mixed_cast(const ElementwiseRequest& request);  // integer from or to float
ElementwiseOp find_math(const ElementwiseRequest& request);
ElementwiseOp find_libdevice(const ElementwiseRequest& request);

// Runs pick.template operator()<S>() for the float or integer type at hand; null for others.
template <class Pick>
Elementwise for_float(Scalar scalar, Pick pick) {
  switch (scalar) {
    case Scalar::kF16:
      return pick.template operator()<Scalar::kF16>();
    case Scalar::kBF16:
      return pick.template operator()<Scalar::kBF16>();
    case Scalar::kF32:
      return pick.template operator()<Scalar::kF32>();
    case Scalar::kF64:
      return pick.template operator()<Scalar::kF64>();
    default:
      return nullptr;
  }
}

template <class Pick>
Elementwise for_integer(Scalar scalar, Pick pick) {
  switch (scalar) {
    case Scalar::kI1:
      return pick.template operator()<Scalar::kI1>();
    case Scalar::kI8:
      return pick.template operator()<Scalar::kI8>();
    case Scalar::kI16:
      return pick.template operator()<Scalar::kI16>();
    case Scalar::kI32:
      return pick.template operator()<Scalar::kI32>();
    case Scalar::kI64:
      return pick.template operator()<Scalar::kI64>();
    default:
      return nullptr;
  }
}

// An operation of a table by its name.
template <class Row, std::size_t N>
const Row* find_row(const Row (&rows)[N], std::string_view name) {
  for (const Row& row : rows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace tritonrl::machine
