#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "machine/numbers/float_formats.h"

namespace tritonrl::machine::integer {

// Operations on integers of any width. They wrap and never trap.

__extension__ typedef unsigned __int128 Wide;
__extension__ typedef __int128 SignedWide;

// Wide enough that nothing is promoted to a signed type, whose overflow would be undefined.
template <class T>
using Modular = std::conditional_t<(sizeof(T) < 4), std::uint32_t, std::make_unsigned_t<T>>;

template <class T>
TRL_INLINE T wrap(Modular<T> value) {
  return static_cast<T>(value);
}

TRL_OPERATION(Add, T, (T a, T b), wrap<T>(static_cast<Modular<T>>(a) + static_cast<Modular<T>>(b)))
TRL_OPERATION(Subtract, T, (T a, T b), wrap<T>(static_cast<Modular<T>>(a) - static_cast<Modular<T>>(b)))
TRL_OPERATION(Multiply, T, (T a, T b), wrap<T>(static_cast<Modular<T>>(a) * static_cast<Modular<T>>(b)))
TRL_OPERATION(And, T, (T a, T b), static_cast<T>(a& b))
TRL_OPERATION(Or, T, (T a, T b), static_cast<T>(a | b))
TRL_OPERATION(Xor, T, (T a, T b), static_cast<T>(a ^ b))
TRL_OPERATION(Min, T, (T a, T b), choose(a < b, a, b))
TRL_OPERATION(Max, T, (T a, T b), choose(a > b, a, b))

// Amounts are unsigned; `Bits` is the type's width, which for i1 is not its storage's.
template <int Bits>
struct ShiftLeft {
  template <class T>
  static TRL_INLINE T apply(T value, T amount) {
    const T safe = choose(amount < T{Bits}, amount, T{0});
    return choose(amount < T{Bits}, wrap<T>(static_cast<Modular<T>>(value) << safe), T{0});
  }
};
template <int Bits>
struct ShiftRight {  // of a signed value by a signed type's bits, or of an unsigned one
  template <class T>
  static TRL_INLINE T apply(T value, T amount) {
    using U = std::make_unsigned_t<T>;
    const U given = static_cast<U>(amount);
    const U safe = choose(given < U{Bits}, given, U{Bits - 1});
    const T shifted = static_cast<T>(value >> safe);
    return choose(given < U{Bits} || std::is_signed_v<T>, shifted, T{0});
  }
};

TRL_OPERATION(AddCarry, std::uint8_t, (T a, T b),
              choose(wrap<T>(static_cast<Modular<T>>(a) + static_cast<Modular<T>>(b)) < a, std::uint8_t{1},
                     std::uint8_t{0}))
struct AddCarryOfBits {
  static TRL_INLINE std::uint8_t apply(std::uint8_t a, std::uint8_t b) { return a & b; }
};

struct MultiplyHigh {
  template <class T>
  static TRL_INLINE T apply(T a, T b) {
    if constexpr (sizeof(T) == 8) {
      using W = std::conditional_t<std::is_signed_v<T>, SignedWide, Wide>;
      return static_cast<T>((static_cast<W>(a) * static_cast<W>(b)) >> 64);
    } else {
      using W = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
      return static_cast<T>((static_cast<W>(a) * static_cast<W>(b)) >> (8 * sizeof(T)));
    }
  }
};
TRL_OPERATION(MultiplyHighOfBits, T, (T, T), 0)  // 1·1 = 01, and -1·-1 = 01

TRL_OPERATION(Absolute, T, (T a), choose(a < 0, wrap<T>(Modular<T>{0} - static_cast<Modular<T>>(a)), a))
template <int Bits>
TRL_OPERATION(CountLeadingZeros, T, (T a), static_cast<T>(std::countl_zero(a) - (int{8 * sizeof(T)} - Bits)))
template <int Bits>
struct CountTrailingZeros {
  template <class T>
  static TRL_INLINE T apply(T a) {
    const int zeros = std::countr_zero(a);
    return static_cast<T>(zeros < Bits ? zeros : Bits);
  }
};
TRL_OPERATION(CountOnes, T, (T a), static_cast<T>(std::popcount(a)))
struct Power {  // a negative exponent is one over the power, as an integer
  template <class T>
  static TRL_INLINE T apply(T base, T exponent) {
    if (exponent < 0) {
      if (base == 1) return 1;
      if (base == -1) return (exponent & 1) != 0 ? T{-1} : T{1};
      return 0;
    }
    Modular<T> result = 1, square = static_cast<Modular<T>>(base);
    for (Modular<T> left = static_cast<Modular<T>>(exponent); left != 0; left >>= 1) {
      if ((left & 1) != 0) result *= square;
      square *= square;
    }
    return wrap<T>(result);
  }
};

}  // namespace tritonrl::machine::integer
