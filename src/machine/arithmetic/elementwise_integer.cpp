#include "machine/arithmetic/elementwise_integer.h"

#include "machine/arithmetic/elementwise_find.h"

namespace tritonrl::machine {
namespace {

using namespace integer;

constexpr int bits_of(Scalar scalar) {
  switch (scalar) {
    case Scalar::kI1:
      return 1;
    case Scalar::kI8:
      return 8;
    case Scalar::kI16:
      return 16;
    case Scalar::kI32:
      return 32;
    default:
      return 64;
  }
}

template <class Op>
Elementwise binary(Scalar scalar) {
  return for_integer(scalar, []<Scalar S> { return vector_loop<Op, UnsignedOf<S>, UnsignedOf<S>, UnsignedOf<S>>(); });
}
template <class Op>
Elementwise signed_binary(Scalar scalar) {
  return for_integer(scalar, []<Scalar S> { return vector_loop<Op, ElementOf<S>, ElementOf<S>, ElementOf<S>>(); });
}
template <class Op>
Elementwise signed_plain_binary(Scalar scalar) {
  return for_integer(scalar, []<Scalar S> { return plain_loop<Op, ElementOf<S>, ElementOf<S>, ElementOf<S>>(); });
}
template <template <int> class Op>
Elementwise shift(Scalar scalar) {
  return for_integer(
      scalar, []<Scalar S> { return vector_loop<Op<bits_of(S)>, UnsignedOf<S>, UnsignedOf<S>, UnsignedOf<S>>(); });
}
Elementwise signed_shift(Scalar scalar) {
  return for_integer(
      scalar, []<Scalar S> { return vector_loop<ShiftRight<bits_of(S)>, ElementOf<S>, ElementOf<S>, ElementOf<S>>(); });
}
template <template <int> class Op>
Elementwise count(Scalar scalar) {
  return for_integer(scalar, []<Scalar S> { return plain_loop<Op<bits_of(S)>, UnsignedOf<S>, UnsignedOf<S>>(); });
}
Elementwise count_ones(Scalar scalar) {
  return for_integer(scalar, []<Scalar S> { return vector_loop<CountOnes, UnsignedOf<S>, UnsignedOf<S>>(); });
}
Elementwise absolute(Scalar scalar) {
  return for_integer(scalar, []<Scalar S> { return vector_loop<Absolute, ElementOf<S>, ElementOf<S>>(); });
}
Elementwise high(Scalar scalar) {
  if (scalar == Scalar::kI1) return binary<MultiplyHighOfBits>(scalar);
  return binary<MultiplyHigh>(scalar);
}
Elementwise signed_high(Scalar scalar) {
  if (scalar == Scalar::kI1) return binary<MultiplyHighOfBits>(scalar);
  return signed_binary<MultiplyHigh>(scalar);
}
Elementwise carry(Scalar scalar) {
  using Flag = UnsignedOf<Scalar::kI1>;
  if (scalar == Scalar::kI1) return plain_loop<AddCarryOfBits, Flag, Flag, Flag>();
  return for_integer(scalar, []<Scalar S> { return vector_loop<AddCarry, Flag, UnsignedOf<S>, UnsignedOf<S>>(); });
}

struct Row {
  std::string_view name;
  int operands;
  Elementwise (*find)(Scalar);
  double operations = 1;
};

constexpr Row kRows[] = {
    {"arith.addi", 2, binary<Add>},
    {"arith.subi", 2, binary<Subtract>},
    {"arith.muli", 2, binary<Multiply>},
    {"arith.andi", 2, binary<And>},
    {"arith.ori", 2, binary<Or>},
    {"arith.xori", 2, binary<Xor>},
    {"arith.minui", 2, binary<Min>},
    {"arith.maxui", 2, binary<Max>},
    {"arith.minsi", 2, signed_binary<Min>},
    {"arith.maxsi", 2, signed_binary<Max>},
    {"arith.shli", 2, shift<ShiftLeft>},
    {"arith.shrui", 2, shift<ShiftRight>},
    {"arith.shrsi", 2, signed_shift},
    {"tt.mulhiui", 2, high},
    {"math.absi", 1, absolute},
    {"math.ctlz", 1, count<CountLeadingZeros>},
    {"math.cttz", 1, count<CountTrailingZeros>},
    {"math.ctpop", 1, count_ones},
    {"math.ipowi", 2, signed_plain_binary<Power>, 32},
};

// The second results.
constexpr Row kLowRows[] = {
    {"arith.mulsi_extended", 2, binary<Multiply>},
    {"arith.mului_extended", 2, binary<Multiply>},
    {"arith.addui_extended", 2, binary<Add>},
};
constexpr Row kHighRows[] = {
    {"arith.mulsi_extended", 2, signed_high},
    {"arith.mului_extended", 2, high},
};

}  // namespace

ElementwiseOp find_integer_arithmetic(const ElementwiseRequest& request) {
  if (request.result == 1 && request.name == "arith.addui_extended") {
    if (!request.has_operands(2) || request.in[0] != request.in[1] || request.out != Scalar::kI1) return {};
    return {carry(request.in[0]), ArithmeticClass::kInteger, 1};
  }
  const Row* row = request.result == 1 ? find_row(kHighRows, request.name) : find_row(kRows, request.name);
  if (row == nullptr && request.result == 0) row = find_row(kLowRows, request.name);
  if (row == nullptr || !request.is_uniform(static_cast<std::size_t>(row->operands))) return {};
  return {row->find(request.out), ArithmeticClass::kInteger, row->operations};
}

}  // namespace tritonrl::machine
