#pragma once

#include <cmath>

#include "machine/numbers/float_formats.h"

namespace tritonrl::machine {

// Functions of the C library as operations. Floats are calculated in double: these are rare, and then off by no more
// than their one rounding.
#define TRL_LIBM_UNARY(Name, expression)                            \
  struct Name {                                                     \
    static TRL_INLINE double apply(double x) { return expression; } \
  };
TRL_LIBM_UNARY(Log1p, std::log1p(x))
TRL_LIBM_UNARY(Log10, std::log10(x))
TRL_LIBM_UNARY(Expm1, std::expm1(x))
TRL_LIBM_UNARY(Tangent, std::tan(x))
TRL_LIBM_UNARY(ArcSine, std::asin(x))
TRL_LIBM_UNARY(ArcCosine, std::acos(x))
TRL_LIBM_UNARY(ArcTangent, std::atan(x))
TRL_LIBM_UNARY(Sinh, std::sinh(x))
TRL_LIBM_UNARY(Cosh, std::cosh(x))
TRL_LIBM_UNARY(ArcSinh, std::asinh(x))
TRL_LIBM_UNARY(ArcCosh, std::acosh(x))
TRL_LIBM_UNARY(ArcTanh, std::atanh(x))
TRL_LIBM_UNARY(Erfc, std::erfc(x))
TRL_LIBM_UNARY(CubeRoot, std::cbrt(x))
#undef TRL_LIBM_UNARY

struct ArcTangent2 {
  static TRL_INLINE double apply(double y, double x) { return std::atan2(y, x); }
};
struct Power {
  static TRL_INLINE float apply(float x, float y) { return std::pow(x, y); }  // calculated in double inside
  static TRL_INLINE double apply(double x, double y) { return std::pow(x, y); }
};
TRL_OPERATION(PowerOfInteger, double, (double x, T n), std::pow(x, static_cast<double>(n)))  // math.fpowi, __nv_powi

TRL_OPERATION(Ceiling, T, (T x), std::ceil(x))
TRL_OPERATION(Floor, T, (T x), std::floor(x))
TRL_OPERATION(Truncate, T, (T x), std::trunc(x))
TRL_OPERATION(RoundEven, T, (T x), std::rint(x))  // in the default rounding mode, which nobody leaves
struct RoundAway {
  template <class T>
  static TRL_INLINE T apply(T x) {
    const T whole = std::trunc(x);
    const T step = choose(std::fabs(x - whole) >= T(0.5), T{1}, T{0});
    return whole + std::copysign(step, x);
  }
};

}  // namespace tritonrl::machine
