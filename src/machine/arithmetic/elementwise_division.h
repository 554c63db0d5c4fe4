#pragma once

#include "machine/numbers/float_formats.h"

namespace tritonrl::machine::integer {

// Quotients of up to 32 bits are taken from doubles: exact, because a quotient that is no integer is at least 2^-32 of
// itself away from one, and vector units divide floats only. By zero gives 0; the smallest by -1 wraps.
template <class T>
TRL_INLINE T quotient(T a, T b) {
  if constexpr (std::is_signed_v<T>) {
    using U = std::make_unsigned_t<T>;
    const T negated = static_cast<T>(U{0} - static_cast<U>(a));
    const bool special = b == 0 || b == T{-1};
    const T divisor = choose(special, T{1}, b);
    T result;
    if constexpr (sizeof(T) <= 4) {
      result = static_cast<T>(static_cast<std::int32_t>(static_cast<double>(a) / static_cast<double>(divisor)));
    } else {
      result = a / divisor;
    }
    result = choose(b == T{-1}, negated, result);
    return choose(b == 0, T{0}, result);
  } else {
    const T divisor = choose(b == 0, T{1}, b);
    T result;
    if constexpr (sizeof(T) <= 4) {
      result = static_cast<T>(static_cast<std::uint32_t>(static_cast<double>(a) / static_cast<double>(divisor)));
    } else {
      result = a / divisor;
    }
    return choose(b == 0, T{0}, result);
  }
}

template <class T>
TRL_INLINE T remainder(T a, T b) {
  using U = std::conditional_t<(sizeof(T) < 4), std::uint32_t, std::make_unsigned_t<T>>;
  const T rest = static_cast<T>(static_cast<U>(a) - static_cast<U>(quotient(a, b)) * static_cast<U>(b));
  return choose(b == 0, T{0}, rest);
}

// Towards plus infinity (Up) or minus infinity.
template <bool Up, class T>
TRL_INLINE T rounded_quotient(T a, T b) {
  const T down = quotient(a, b);
  const T rest = remainder(a, b);
  const bool positive = std::is_signed_v<T> ? (rest < 0) == (b < 0) : true;
  const bool moves = rest != 0 && positive == Up;
  using U = std::make_unsigned_t<T>;
  return static_cast<T>(static_cast<U>(down) + choose(moves, Up ? U{1} : static_cast<U>(~U{0}), U{0}));
}

TRL_OPERATION(Quotient, T, (T a, T b), quotient(a, b))
TRL_OPERATION(Remainder, T, (T a, T b), remainder(a, b))
TRL_OPERATION(CeilingQuotient, T, (T a, T b), rounded_quotient<true>(a, b))
TRL_OPERATION(FloorQuotient, T, (T a, T b), rounded_quotient<false>(a, b))

}  // namespace tritonrl::machine::integer
