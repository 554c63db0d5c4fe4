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

ElementwiseOp find_integer_arithmetic(const ElementwiseRequest& request);  // division too
ElementwiseOp find_float_arithmetic(const ElementwiseRequest& request);
ElementwiseOp find_comparison(const ElementwiseRequest& request);    // cmpi, cmpf, select, math.isnan and its like
ElementwiseOp find_integer_cast(const ElementwiseRequest& request);  // pointers too
ElementwiseOp find_float_cast(const ElementwiseRequest& request);
ElementwiseOp find_mixed_cast(const ElementwiseRequest& request);  // integer from or to float
ElementwiseOp find_math(const ElementwiseRequest& request);
ElementwiseOp find_libdevice(const ElementwiseRequest& request);

TRL_OPERATION(Same, T, (T a), a)  // the loop itself converts to the result's type

// Runs pick.template operator()<S>() for the type at hand; null for one that is none of the `Choices`.
template <Scalar... Choices, class Pick>
Elementwise for_scalar(Scalar scalar, Pick pick) {
  Elementwise found = nullptr;
  static_cast<void>(((scalar == Choices && (found = pick.template operator()<Choices>(), true)) || ...));
  return found;
}
template <class Pick>
Elementwise for_float(Scalar scalar, Pick pick) {
  return for_scalar<Scalar::kF16, Scalar::kBF16, Scalar::kF32, Scalar::kF64>(scalar, pick);
}
template <class Pick>
Elementwise for_integer(Scalar scalar, Pick pick) {
  return for_scalar<Scalar::kI1, Scalar::kI8, Scalar::kI16, Scalar::kI32, Scalar::kI64>(scalar, pick);
}

// An operation of a table by its name.
template <class Row, std::size_t N>
const Row* find_row(const Row (&rows)[N], std::string_view name) {
  for (const Row& row : rows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

// An operation whose operands and result are of one type.
struct ElementwiseRow {
  std::string_view name;
  std::size_t operands;
  Elementwise (*find)(Scalar);
  ArithmeticClass arithmetic = ArithmeticClass::kFloat;
  double operations = 1;
};
template <std::size_t N>
ElementwiseOp find_uniform(const ElementwiseRow (&rows)[N], const ElementwiseRequest& request) {
  const ElementwiseRow* row = find_row(rows, request.name);
  if (row == nullptr || !request.is_uniform(row->operands)) return {};
  return {row->find(request.out), row->arithmetic, row->operations};
}

}  // namespace tritonrl::machine
