#pragma once

#include <cmath>

#include "machine/numbers/float_formats.h"

namespace tritonrl::machine {

// The functions that kernels spend their time in, as straight code that becomes vector code: within 2 units in the last
// place of the exact value for every float (elementwise_math_test.cpp), infinities, NaNs and subnormals included.
// Doubles, which are rare, go to the C library. Polynomials are our own near-minimax fits on the interval named beside
// them.

// p(x) = c0 + c1·x + … by Horner's scheme.
template <class T>
TRL_INLINE T polynomial(T, T c0) {
  return c0;
}
template <class T, class... Rest>
TRL_INLINE T polynomial(T x, T c0, Rest... rest) {
  return c0 + x * polynomial(x, rest...);
}

// Adding 1.5·2^23 rounds a float below 2^22 to an integer, which then stands in its low bits.
inline constexpr float kRoundMagic = 12582912.0f;
TRL_INLINE std::int32_t rounded_integer(float sum) {
  return static_cast<std::int32_t>(bits_as<std::uint32_t>(sum) - 0x4b400000u);
}

// value·2^exponent for exponents from -252 to 254, rounded once: only the second factor can leave the normal range.
TRL_INLINE float scale(float value, std::int32_t exponent) {
  const std::int32_t half = exponent >> 1;
  const std::int32_t other = exponent - half;
  const float first = bits_as<float>((static_cast<std::uint32_t>(half) + 127u) << 23);
  const float second = bits_as<float>((static_cast<std::uint32_t>(other) + 127u) << 23);
  return value * first * second;
}

struct Exp {
  static TRL_INLINE float apply(float x) {
    // Beyond these the result is infinite or zero. NaN passes both.
    float y = choose(x > 89.0f, 89.0f, x);
    y = choose(y < -104.0f, -104.0f, y);
    const float sum = y * 1.44269504f + kRoundMagic;
    const float n = sum - kRoundMagic;
    const float r = (y - n * 0.693359375f) - n * -2.12194440e-4f;  // the first product is exact
    const float q = polynomial(r, 4.9999994e-01f, 1.6666515e-01f, 4.166846e-02f, 8.369423e-03f, 1.3813089e-03f);
    return scale(1.0f + (r + r * r * q), rounded_integer(sum));
  }
  static TRL_INLINE double apply(double x) { return std::exp(x); }
};

struct Exp2 {
  static TRL_INLINE float apply(float x) {
    float y = choose(x > 129.0f, 129.0f, x);
    y = choose(y < -151.0f, -151.0f, y);
    const float sum = y + kRoundMagic;
    const float r = y - (sum - kRoundMagic);  // within half of zero, exact
    const float p =
        polynomial(r, 6.931472e-01f, 2.4022648e-01f, 5.5503294e-02f, 9.618449e-03f, 1.3400193e-03f, 1.5352636e-04f);
    return scale(1.0f + r * p, rounded_integer(sum));
  }
  static TRL_INLINE double apply(double x) { return std::exp2(x); }
};

// x = 2^exponent·(1 + fraction) with the fraction from √½-1 to √2-1, for positive finite x.
struct LogParts {
  float exponent;
  float fraction;
  float rest;  // log(1 + fraction) = fraction + rest
};
TRL_INLINE LogParts log_parts(float x) {
  const bool subnormal = x < 1.17549435e-38f;
  const float normal = choose(subnormal, x * 8388608.0f, x);
  const std::uint32_t bits = bits_as<std::uint32_t>(normal);
  const std::int32_t exponent = static_cast<std::int32_t>(bits - 0x3f3504f3u) >> 23;
  const float fraction = bits_as<float>(bits - (static_cast<std::uint32_t>(exponent) << 23)) - 1.0f;
  const float square = fraction * fraction;
  const float r = polynomial(fraction, 3.3333313e-01f, -2.500001e-01f, 2.0002125e-01f, -1.6668026e-01f, 1.4219455e-01f,
                             -1.2405088e-01f, 1.1888319e-01f, -1.1678351e-01f, 6.749431e-02f);
  return {static_cast<float>(exponent) - choose(subnormal, 23.0f, 0.0f), fraction,
          square * fraction * r - 0.5f * square};
}
TRL_INLINE float log_special(float x, float result) {
  result = choose(x == 0.0f, -__builtin_inff(), result);
  result = choose(x < 0.0f, __builtin_nanf(""), result);
  result = choose(x == __builtin_inff(), x, result);
  return choose(x != x, x, result);
}

struct Log {
  static TRL_INLINE float apply(float x) {
    const LogParts parts = log_parts(x);
    const float low = parts.rest + parts.exponent * -2.12194440e-4f;
    return log_special(x, (parts.fraction + low) + parts.exponent * 0.693359375f);
  }
  static TRL_INLINE double apply(double x) { return std::log(x); }
};

struct Log2 {
  static TRL_INLINE float apply(float x) {
    constexpr float kLog2eLess1 = 0.442695041f;
    const LogParts parts = log_parts(x);
    const float low = parts.rest * kLog2eLess1 + parts.fraction * kLog2eLess1 + parts.rest;
    return log_special(x, (low + parts.fraction) + parts.exponent);
  }
  static TRL_INLINE double apply(double x) { return std::log2(x); }
};

struct Tanh {
  static TRL_INLINE float apply(float x) {
    const float a = __builtin_fabsf(x);
    const float z = x * x;
    const float p = polynomial(z, -3.333333e-01f, 1.333318e-01f, -5.3943392e-02f, 2.16816e-02f, -8.128907e-03f,
                               2.097645e-03f);  // up to 0.64
    const float large = 1.0f - 2.0f / (Exp::apply(a + a) + 1.0f);
    return __builtin_copysignf(choose(a < 0.625f, a + a * (z * p), large), x);
  }
  static TRL_INLINE double apply(double x) { return std::tanh(x); }
};

struct Erf {
  static TRL_INLINE float apply(float x) {
    const float a = __builtin_fabsf(x);
    const float z = x * x;
    const float p = polynomial(z, 1.2837917e-01f, -3.7612635e-01f, 1.1283745e-01f, -2.6863378e-02f, 5.215654e-03f,
                               -8.4116857e-04f, 1.0781702e-04f, -8.391211e-06f);  // up to 1.15
    // -log(1 - erf) from 1.1 to 4, where the result is 1 already.
    const float t = choose(a > 4.0f, 4.0f, a) - 1.75f;
    const float g = polynomial(t, 4.3178635e+00f, 3.959611e+00f, 9.0994006e-01f, 2.0538662e-02f, -4.6243183e-03f,
                               9.6540083e-04f, -1.7555642e-04f, 2.1557216e-05f);
    const float large = 1.0f - Exp::apply(-g);
    return choose(a < 1.125f, x + x * p, __builtin_copysignf(choose(a != a, a, large), x));
  }
  static TRL_INLINE double apply(double x) { return std::erf(x); }
};

TRL_OPERATION(ReciprocalSquareRoot, T, (T x), T{1} / std::sqrt(x))

// In doubles, which hold n·(π/2) closely enough for arguments up to kTrigonometricLimit; beyond them (and for what is
// not finite) the loop asks `repair`.
inline constexpr float kTrigonometricLimit = 100000.0f;

template <int Quarter>  // 0: sine, 1: cosine
TRL_INLINE float sine_from_quarter(float x) {
  const double y = choose(__builtin_fabsf(x) <= kTrigonometricLimit, x, 0.0f);
  constexpr double kMagic = 6755399441055744.0;  // 1.5·2^52
  const double sum = y * 0.63661977236758134 + kMagic;
  const double n = sum - kMagic;
  const double r = (y - n * 1.57079632673412561417) - n * 6.07710050650619224932e-11;
  const std::int64_t quarter = bits_as<std::int64_t>(sum) + Quarter;  // its low bits count
  const double z = r * r;
  const double sine = r + r * (z * polynomial(z, -0.16666666641514613, 0.008333329373083833, -0.00019839330732547732,
                                              2.7182723803572434e-06));
  const double cosine = 1.0 + z * polynomial(z, -0.49999999999542605, 0.04166666656163322, -0.001388888105423691,
                                             2.4799035776044004e-05, -2.7179714409813104e-07);
  const double result = choose((quarter & 1) != 0, cosine, sine);
  const std::uint64_t sign = static_cast<std::uint64_t>(quarter & 2) << 62;
  return static_cast<float>(bits_as<double>(bits_as<std::uint64_t>(result) ^ sign));
}

struct Sine {
  static TRL_INLINE float apply(float x) { return choose(x == 0.0f, x, sine_from_quarter<0>(x)); }  // -0 too
  static TRL_INLINE bool needs_repair(float x) { return !(__builtin_fabsf(x) <= kTrigonometricLimit); }
  static float repair(float x) { return std::sin(x); }
  static TRL_INLINE double apply(double x) { return std::sin(x); }
};
struct Cosine {
  static TRL_INLINE float apply(float x) { return sine_from_quarter<1>(x); }
  static TRL_INLINE bool needs_repair(float x) { return !(__builtin_fabsf(x) <= kTrigonometricLimit); }
  static float repair(float x) { return std::cos(x); }
  static TRL_INLINE double apply(double x) { return std::cos(x); }
};

}  // namespace tritonrl::machine
