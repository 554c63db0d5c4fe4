#pragma once

#include <limits>

#include "machine/numbers/float_formats.h"

namespace tritonrl::machine {

// A float without fraction (or one whose fraction is cut off) as an integer, as PTX's cvt does it: numbers out of range
// give the nearest end of it; NaN gives 0, or the value whose top bit alone is set where a 64-bit type takes part.
template <class To, class From>
TRL_INLINE To saturate(From value) {
  constexpr To kLowest = std::numeric_limits<To>::min(), kLargest = std::numeric_limits<To>::max();
  // Both ends are powers of two or zero, exact in any float type.
  constexpr From kBelow = static_cast<From>(kLowest);
  constexpr From kBeyond = static_cast<From>(To{1} << (std::numeric_limits<To>::digits - 1)) * 2;
  constexpr bool kNanIsHighBit = sizeof(From) == 8 || sizeof(To) == 8;
  constexpr To kNan = kNanIsHighBit ? static_cast<To>(std::uint64_t{1} << (8 * sizeof(To) - 1)) : To{0};
  const bool inside = value > kBelow && value < kBeyond;
  const From safe = choose(inside, value, From{0});
  To result = static_cast<To>(safe);
  result = choose(value <= kBelow, kLowest, result);
  result = choose(value >= kBeyond, kLargest, result);
  return choose(value != value, kNan, result);
}

}  // namespace tritonrl::machine
