#include "machine/arithmetic/elementwise.h"

#include <array>

#include "machine/arithmetic/elementwise_find.h"

namespace tritonrl::machine {

ElementwiseOp find_elementwise(const Operation& op, std::span<const Scalar> in, Scalar out, Scalar element,
                               int result) {
  std::array<Scalar, 4> operands = {};
  if (in.empty() || in.size() > operands.size() || result < 0 || result > 1) return {};
  for (std::size_t i = 0; i < in.size(); ++i) operands[i] = in[i] == Scalar::kIndex ? Scalar::kI64 : in[i];
  const ElementwiseRequest request{
      op.name, op, std::span(operands).first(in.size()), out == Scalar::kIndex ? Scalar::kI64 : out, element, result};
  for (const auto find : {find_integer_arithmetic, find_float_arithmetic, find_comparison, find_integer_cast,
                          find_float_cast, find_mixed_cast, find_math, find_libdevice}) {
    const ElementwiseOp found = find(request);
    if (found.run != nullptr) return found;
  }
  return {};
}

}  // namespace tritonrl::machine
