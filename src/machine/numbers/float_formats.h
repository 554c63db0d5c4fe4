#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "machine/numbers/scalar.h"
#include "machine/numbers/vector_dispatch.h"

namespace tritonrl::machine {

// The narrow float types as bits, and their conversions. All are exact or rounded once, and free of branches so that
// loops over them become vector code.

enum class Rounding : std::uint8_t { kNearestEven, kTowardZero };

template <class To, class From>
TRL_INLINE To bits_as(From value) {
  return __builtin_bit_cast(To, value);
}

// Selection that stays a selection: both sides are evaluated.
template <class T>
TRL_INLINE T choose(bool condition, T yes, T no) {
  return condition ? yes : no;
}

// What fills the codes beyond the largest finite number.
enum class Special : std::uint8_t {
  kIeee,      // infinities and NaNs; overflow gives infinity
  kSaturate,  // the same codes, but the largest number is given instead of infinity, as the GPU's fp8 conversions do
              // (they round to nearest; towards zero an infinity stays one)
  kFn,        // no infinity, all ones is NaN; saturates
  kFnuz,      // no infinity, no negative zero, the sign bit alone is NaN; saturates
  kFinite,    // all codes are numbers; only to be widened
};

// A binary float format with a sign, `E` exponent and `M` mantissa bits, at most 16 in all.
template <class StorageType, int E, int M, int Bias, Special S>
struct FloatFormat {
  using Storage = StorageType;
  static constexpr std::int32_t kSign = 1 << (E + M);
  static constexpr std::int32_t kMagnitude = kSign - 1;
  static constexpr std::int32_t kInfinity = ((1 << E) - 1) << M;  // kIeee and kSaturate
  static constexpr std::int32_t kLargest = S == Special::kFnuz ? kMagnitude
                                           : S == Special::kFn ? kMagnitude - 1
                                                               : kInfinity - 1;
  static constexpr std::int32_t kOverflow = S == Special::kIeee ? kInfinity : kLargest;
  // PTX's canonical NaNs are all ones but for the sign.
  static constexpr std::int32_t kNan = S == Special::kFnuz ? kSign : kMagnitude;

  // Signed integers throughout: baseline x86-64 has no unsigned comparison of vectors.
  static TRL_INLINE float widen(Storage storage) {
    const std::int32_t code = storage;
    const std::int32_t magnitude = code & kMagnitude;
    const std::uint32_t sign = static_cast<std::uint32_t>(code & kSign) << (31 - E - M);
    if constexpr (E == 8) {  // bfloat16: a float's upper half
      return bits_as<float>(static_cast<std::uint32_t>(code) << (23 - M));
    } else {
      constexpr std::int32_t kRebias = (127 - Bias) << 23;
      constexpr std::int32_t kSmallestNormal = kRebias + (1 << 23);
      const std::int32_t moved = (magnitude << (23 - M)) + kRebias;
      // Subnormal: as if its exponent were one, less that exponent's implicit bit.
      const float subnormal = bits_as<float>(moved + (1 << 23)) - bits_as<float>(kSmallestNormal);
      std::int32_t bits = choose(moved < kSmallestNormal, bits_as<std::int32_t>(subnormal), moved);
      if constexpr (S == Special::kIeee || S == Special::kSaturate) {
        bits = choose(magnitude >= kInfinity, moved | 0x7f800000, bits);
      } else if constexpr (S == Special::kFn) {
        bits = choose(magnitude == kNan, 0x7fffffff, bits);
      } else if constexpr (S == Special::kFnuz) {
        bits = choose(code == kNan, 0x7fffffff, bits);
      }
      return bits_as<float>(static_cast<std::uint32_t>(bits) | sign);
    }
  }

  template <Rounding R = Rounding::kNearestEven>
  static TRL_INLINE Storage narrow(float value) {
    constexpr int kDropped = 23 - M;
    constexpr std::int32_t kRebias = (127 - Bias) << 23;
    constexpr std::int32_t kSmallestNormal = (128 - Bias) << 23;
    constexpr std::int32_t kFloatInfinity = 0x7f800000;
    const std::uint32_t bits = bits_as<std::uint32_t>(value);
    const std::int32_t sign = static_cast<std::int32_t>(bits >> (31 - E - M)) & kSign;
    const std::int32_t magnitude = static_cast<std::int32_t>(bits & 0x7fffffffu);
    const float positive = bits_as<float>(magnitude);
    std::int32_t code = 0;
    if constexpr (R == Rounding::kNearestEven) {
      const std::int32_t finite = choose(magnitude < kFloatInfinity, magnitude, kFloatInfinity);
      const std::int32_t odd = (finite >> kDropped) & 1;
      constexpr std::uint32_t kHalfLess = (1u << (kDropped - 1)) - 1 - static_cast<std::uint32_t>(kRebias);
      code = static_cast<std::int32_t>((static_cast<std::uint32_t>(finite + odd) + kHalfLess) >> kDropped);
      if constexpr (E < 8) {
        // Subnormal: adding a power of two of the right size makes the hardware round at the last place that is kept.
        constexpr std::int32_t kMagic = (128 - Bias + kDropped) << 23;
        const std::int32_t subnormal = bits_as<std::int32_t>(positive + bits_as<float>(kMagic)) - kMagic;
        code = choose(magnitude < kSmallestNormal, subnormal, code);
        code = choose(code < kOverflow, code, kOverflow);
      }
    } else {
      code = (magnitude - kRebias) >> kDropped;
      if constexpr (E < 8) {
        constexpr float kScale = __builtin_bit_cast(float, (127 + Bias - 1 + M) << 23);
        const float kept = choose(magnitude < kSmallestNormal, positive, 0.0f);
        code = choose(magnitude < kSmallestNormal, static_cast<std::int32_t>(kept * kScale), code);
      }
      code = choose(code < kLargest, code, kLargest);
      code = choose(magnitude < kFloatInfinity, code, S == Special::kSaturate ? kInfinity : kOverflow);
    }
    std::int32_t result = code | sign;
    if constexpr (S == Special::kFnuz) result = choose(code == 0, 0, result);
    return static_cast<Storage>(choose(magnitude > kFloatInfinity, kNan, result));
  }
};

using Half = FloatFormat<std::uint16_t, 5, 10, 15, Special::kIeee>;
using BFloat16 = FloatFormat<std::uint16_t, 8, 7, 127, Special::kIeee>;
using F8E4M3 = FloatFormat<std::uint8_t, 4, 3, 7, Special::kFn>;
using F8E5M2 = FloatFormat<std::uint8_t, 5, 2, 15, Special::kSaturate>;
// What Triton's conversion to bfloat16 takes e5m2 for: it shifts and scales the bits, infinities and NaNs too.
using F8E5M2Finite = FloatFormat<std::uint8_t, 5, 2, 15, Special::kFinite>;
using F8E4M3Fnuz = FloatFormat<std::uint8_t, 4, 3, 8, Special::kFnuz>;
using F8E5M2Fnuz = FloatFormat<std::uint8_t, 5, 2, 16, Special::kFnuz>;

// Triton's fp8e4b15: a half's bits without the exponent's top one. It is made from a half that is rounded towards zero,
// whose mantissa is then rounded to three bits with ties away from zero; everything beyond 1.75, NaN too, becomes that.
struct F8E4M3B15 {
  using Storage = std::uint8_t;

  static TRL_INLINE float widen(Storage storage) {
    const std::uint32_t code = storage;
    return Half::widen(static_cast<std::uint16_t>((code & 0x80u) << 8 | (code & 0x7fu) << 7));
  }

  template <Rounding R = Rounding::kNearestEven>
  static TRL_INLINE Storage narrow(float value) {
    const std::int32_t half = Half::narrow<Rounding::kTowardZero>(value);
    const std::int32_t magnitude = choose((half & 0x7fff) < 0x3f00, half & 0x7fff, 0x3f00);
    const std::int32_t rounded = R == Rounding::kNearestEven ? magnitude * 2 + 0x80 : magnitude * 2;
    return static_cast<Storage>((half & 0x8000) >> 8 | rounded >> 8);
  }
};

// To the nearest float, or where there is none the neighbour whose last bit is one: a second rounding, to at most 22
// bits, then gives what a single one would.
TRL_INLINE float to_odd_float(double value) {
  const float nearest = static_cast<float>(value);
  const double back = nearest;
  std::uint32_t bits = bits_as<std::uint32_t>(nearest);
  bits -= choose(__builtin_fabs(back) > __builtin_fabs(value), 1u, 0u);
  bits |= choose(back < value || back > value, 1u, 0u);
  return bits_as<float>(bits);
}

// a·b + c with one rounding to a double whose last bit is one if anything was cut off; a·b must be exact in a double.
TRL_INLINE double to_odd_sum(double product, double addend) {
  const double sum = product + addend;
  const double part = sum - product;
  const double error = (product - (sum - part)) + (addend - part);
  const std::int64_t bits = bits_as<std::int64_t>(sum);
  // Towards the exact sum if the last bit is even. An infinite or NaN sum has a NaN error and stays.
  const bool away = (error > 0) == (sum > 0);
  const std::int64_t step = choose(away, std::int64_t{1}, std::int64_t{-1});
  const bool inexact = error < 0 || error > 0;
  return bits_as<double>(bits + choose(inexact && (bits & 1) == 0, step, std::int64_t{0}));
}

// One value of any float type, for constants, arguments and messages. `bits` are the low bytes.
double to_double(Scalar scalar, std::uint64_t bits);
std::uint64_t from_double(Scalar scalar, double value);

}  // namespace tritonrl::machine
