#pragma once

#include <cmath>

#include "machine/numbers/float_formats.h"

namespace tritonrl::machine::floating {

// PTX's min and max: -0 is less than +0, and a NaN gives way to a number.
template <bool Largest, class T>
TRL_INLINE T pick_number(T a, T b) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  const Bits a_bits = bits_as<Bits>(a), b_bits = bits_as<Bits>(b);
  // Equal numbers differ in bits only if they are zeros.
  const T equal = bits_as<T>(Largest ? a_bits & b_bits : a_bits | b_bits);
  T result = choose(Largest ? a > b : a < b, a, b);
  result = choose(a == b, equal, result);
  return choose(b != b, a, result);
}

// The same with a NaN if either is one.
template <bool Largest, class T>
TRL_INLINE T pick_or_nan(T a, T b) {
  return choose(a != a || b != b, static_cast<T>(__builtin_nanf("")), pick_number<Largest>(a, b));
}

// Half and bfloat16 arrive here as floats: rounding a sum, product, quotient or root of them to float and then to the
// narrow type gives what one rounding would, because a float has more than twice their bits.
TRL_OPERATION(Add, T, (T a, T b), a + b)
TRL_OPERATION(Subtract, T, (T a, T b), a - b)
TRL_OPERATION(Multiply, T, (T a, T b), a* b)
TRL_OPERATION(Divide, T, (T a, T b), a / b)
TRL_OPERATION(Remainder, T, (T a, T b), std::fmod(a, b))
TRL_OPERATION(Negate, T, (T a), -a)
TRL_OPERATION(Absolute, T, (T a), std::fabs(a))
TRL_OPERATION(SquareRoot, T, (T a), std::sqrt(a))
TRL_OPERATION(FusedMultiplyAdd, T, (T a, T b, T c), std::fma(a, b, c))
TRL_OPERATION(CopySign, T, (T a, T b), std::copysign(a, b))
template <bool Largest>
TRL_OPERATION(Number, T, (T a, T b), pick_number<Largest>(a, b))
template <bool Largest>
TRL_OPERATION(OrNan, T, (T a, T b), pick_or_nan<Largest>(a, b))

}  // namespace tritonrl::machine::floating
