#include "machine/arithmetic/elementwise_integer.h"

#include "machine/arithmetic/elementwise_division.h"
#include "machine/arithmetic/elementwise_find.h"

namespace tritonrl::machine {
namespace {

using namespace integer;

constexpr int bits_of(Scalar scalar) {
  return scalar == Scalar::kI1    ? 1
         : scalar == Scalar::kI8  ? 8
         : scalar == Scalar::kI16 ? 16
         : scalar == Scalar::kI32 ? 32
                                  : 64;
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

constexpr ArithmeticClass kInteger = ArithmeticClass::kInteger, kSpecial = ArithmeticClass::kSpecial;

constexpr ElementwiseRow kRows[] = {
    {"arith.addi", 2, binary<Add>, kInteger},
    {"arith.subi", 2, binary<Subtract>, kInteger},
    {"arith.muli", 2, binary<Multiply>, kInteger},
    {"arith.andi", 2, binary<And>, kInteger},
    {"arith.ori", 2, binary<Or>, kInteger},
    {"arith.xori", 2, binary<Xor>, kInteger},
    {"arith.minui", 2, binary<Min>, kInteger},
    {"arith.maxui", 2, binary<Max>, kInteger},
    {"arith.minsi", 2, signed_binary<Min>, kInteger},
    {"arith.maxsi", 2, signed_binary<Max>, kInteger},
    {"arith.shli", 2, shift<ShiftLeft>, kInteger},
    {"arith.shrui", 2, shift<ShiftRight>, kInteger},
    {"arith.shrsi", 2, signed_shift, kInteger},
    {"tt.mulhiui", 2, high, kInteger},
    {"math.absi", 1, absolute, kInteger},
    {"math.ctlz", 1, count<CountLeadingZeros>, kInteger},
    {"math.cttz", 1, count<CountTrailingZeros>, kInteger},
    {"math.ctpop", 1, count_ones, kInteger},
    {"math.ipowi", 2, signed_plain_binary<Power>, kInteger, 32},
    {"arith.divsi", 2, signed_binary<Quotient>, kSpecial, 8},
    {"arith.divui", 2, binary<Quotient>, kSpecial, 8},
    {"arith.remsi", 2, signed_binary<Remainder>, kSpecial, 8},
    {"arith.remui", 2, binary<Remainder>, kSpecial, 8},
    {"arith.ceildivsi", 2, signed_binary<CeilingQuotient>, kSpecial, 8},
    {"arith.ceildivui", 2, binary<CeilingQuotient>, kSpecial, 8},
    {"arith.floordivsi", 2, signed_binary<FloorQuotient>, kSpecial, 8},
    // The first results of what has two.
    {"arith.mulsi_extended", 2, binary<Multiply>, kInteger},
    {"arith.mului_extended", 2, binary<Multiply>, kInteger},
    {"arith.addui_extended", 2, binary<Add>, kInteger},
};

// The second results.
constexpr ElementwiseRow kHighRows[] = {
    {"arith.mulsi_extended", 2, signed_high, kInteger},
    {"arith.mului_extended", 2, high, kInteger},
};

}  // namespace

ElementwiseOp find_integer_arithmetic(const ElementwiseRequest& request) {
  if (request.result == 1 && request.name == "arith.addui_extended") {
    if (!request.has_operands(2) || request.in[0] != request.in[1] || request.out != Scalar::kI1) return {};
    return {carry(request.in[0]), kInteger, 1};
  }
  return request.result == 1 ? find_uniform(kHighRows, request) : find_uniform(kRows, request);
}

}  // namespace tritonrl::machine
