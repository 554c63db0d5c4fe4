#include <cmath>
#include <limits>

#include "machine/arithmetic/elementwise_float.h"
#include "machine/arithmetic/elementwise_libm.h"
#include "machine/arithmetic/elementwise_vector_math.h"
#include "machine/arithmetic/libdevice.h"

namespace tritonrl::machine {
namespace {

using namespace libdevice_table;

struct Exp10 {
  static TRL_INLINE double apply(double x) { return ::exp10(x); }
};
struct FusedFloat {  // as math.fma: exact in double but for a rounding to odd
  static TRL_INLINE float apply(float a, float b, float c) {
    return static_cast<float>(to_odd_sum(static_cast<double>(a) * static_cast<double>(b), c));
  }
};
TRL_OPERATION(IeeeRemainder, T, (T a, T b), std::remainder(a, b))
TRL_OPERATION(PositiveDifference, T, (T a, T b), std::fdim(a, b))
TRL_OPERATION(NextAfter, T, (T a, T b), std::nextafter(a, b))
TRL_OPERATION(Scale, T, (T a, std::int32_t exponent), std::ldexp(a, exponent))
struct Saturate {  // NaN gives 0
  static TRL_INLINE float apply(float a) { return choose(a > 0.0f, choose(a < 1.0f, a, 1.0f), 0.0f); }
};

TRL_OPERATION(IsNan, std::int32_t, (T a), a != a ? 1 : 0)
TRL_OPERATION(IsInfinite, std::int32_t, (T a), std::fabs(a) == std::numeric_limits<T>::infinity() ? 1 : 0)
TRL_OPERATION(IsFinite, std::int32_t, (T a), std::fabs(a) < std::numeric_limits<T>::infinity() ? 1 : 0)
struct SignBit {
  static TRL_INLINE std::int32_t apply(float a) { return static_cast<std::int32_t>(bits_as<std::uint32_t>(a) >> 31); }
  static TRL_INLINE std::int32_t apply(double a) { return static_cast<std::int32_t>(bits_as<std::uint64_t>(a) >> 63); }
};
TRL_OPERATION(Exponent, T, (T a), std::logb(a))
struct IntegerExponent {
  template <class T>
  static TRL_INLINE std::int32_t apply(T a) {
    if (a != a || a == 0) return std::numeric_limits<std::int32_t>::min();
    if (std::isinf(a)) return std::numeric_limits<std::int32_t>::max();
    return std::ilogb(a);
  }
};

// The fast forms are as good as the others here, but keep what a kernel can rely on to differ.
struct FastPower {  // exp2(y·log2(x))
  static TRL_INLINE float apply(float x, float y) {
    return x < 0 ? std::numeric_limits<float>::quiet_NaN() : std::pow(x, y);
  }
};
struct FastDivide {  // a divisor beyond 2^126 has a reciprocal of 0
  static TRL_INLINE float apply(float x, float y) {
    const float size = std::fabs(y);
    const float reciprocal = choose(size > 0x1p126f && size < std::numeric_limits<float>::infinity(), 0.0f, 1.0f);
    return choose(reciprocal == 0.0f, x * 0.0f, x / y);
  }
};
struct HighReciprocal {  // of the upper word, in the upper word
  static TRL_INLINE double apply(double x) {
    constexpr std::uint64_t kHigh = 0xffffffff00000000u;
    const double kept = bits_as<double>(bits_as<std::uint64_t>(x) & kHigh);
    return bits_as<double>(bits_as<std::uint64_t>(1.0 / kept) & kHigh);
  }
};

#define TRL_UNARY(Op, name, cost) vector_row<Op, F, F>("__nv_" name "f", cost), plain_row<Op, D, D>("__nv_" name, cost)

constexpr LibdeviceFunction kFunctions[] = {
    TRL_UNARY(floating::Absolute, "fabs", kOneFloat),
    TRL_UNARY(Floor, "floor", kOneFloat),
    TRL_UNARY(Ceiling, "ceil", kOneFloat),
    TRL_UNARY(Truncate, "trunc", kOneFloat),
    TRL_UNARY(RoundEven, "rint", kOneFloat),
    TRL_UNARY(RoundEven, "nearbyint", kOneFloat),
    TRL_UNARY(RoundAway, "round", kOneFloat),
    TRL_UNARY(floating::SquareRoot, "sqrt", kOneSpecial),
    TRL_UNARY(ReciprocalSquareRoot, "rsqrt", kOneSpecial),
    TRL_UNARY(Exp, "exp", kOneSpecial),
    TRL_UNARY(Exp2, "exp2", kOneSpecial),
    TRL_UNARY(Log, "log", kOneSpecial),
    TRL_UNARY(Log2, "log2", kOneSpecial),
    TRL_UNARY(Sine, "sin", kPolynomial),
    TRL_UNARY(Cosine, "cos", kPolynomial),
    TRL_UNARY(Tanh, "tanh", kPolynomial),
    TRL_UNARY(Erf, "erf", kPolynomial),
    TRL_BOTH(Exp10, "exp10", kOneSpecial, X, X),
    TRL_BOTH(Expm1, "expm1", kPolynomial, X, X),
    TRL_BOTH(Log10, "log10", kOneSpecial, X, X),
    TRL_BOTH(Log1p, "log1p", kPolynomial, X, X),
    TRL_BOTH(Tangent, "tan", kPolynomial, X, X),
    TRL_BOTH(ArcSine, "asin", kPolynomial, X, X),
    TRL_BOTH(ArcCosine, "acos", kPolynomial, X, X),
    TRL_BOTH(ArcTangent, "atan", kPolynomial, X, X),
    TRL_BOTH(Sinh, "sinh", kPolynomial, X, X),
    TRL_BOTH(Cosh, "cosh", kPolynomial, X, X),
    TRL_BOTH(ArcSinh, "asinh", kPolynomial, X, X),
    TRL_BOTH(ArcCosh, "acosh", kPolynomial, X, X),
    TRL_BOTH(ArcTanh, "atanh", kPolynomial, X, X),
    TRL_BOTH(CubeRoot, "cbrt", kPolynomial, X, X),
    TRL_BOTH(Erfc, "erfc", kLong, X, X),
    TRL_BOTH(Exponent, "logb", kPolynomial, X, X),
    TRL_BOTH(ArcTangent2, "atan2", kPolynomial, X, X, X),
    TRL_BOTH(Power, "pow", kLong, X, X, X),
    TRL_BOTH(floating::Remainder, "fmod", kPolynomial, X, X, X),
    TRL_BOTH(IeeeRemainder, "remainder", kPolynomial, X, X, X),
    TRL_BOTH(PositiveDifference, "fdim", kOneFloat, X, X, X),
    TRL_BOTH(NextAfter, "nextafter", kPolynomial, X, X, X),
    TRL_BOTH(floating::CopySign, "copysign", kOneFloat, X, X, X),
    TRL_BOTH(floating::Number<true>, "fmax", kOneFloat, X, X, X),
    TRL_BOTH(floating::Number<false>, "fmin", kOneFloat, X, X, X),
    vector_row<FusedFloat, F, F, F, F>("__nv_fmaf", kOneFloat),
    plain_row<floating::FusedMultiplyAdd, D, D, D, D>("__nv_fma", kOneFloat),
    TRL_BOTH(PowerOfInteger, "powi", kLong, X, X, I),
    TRL_BOTH(Scale, "ldexp", kOneFloat, X, X, I),
    TRL_BOTH(Scale, "scalbn", kOneFloat, X, X, I),
    vector_row<IsNan, I, F>("__nv_isnanf", kOneFloat),
    vector_row<IsNan, I, D>("__nv_isnand", kOneFloat),
    vector_row<IsInfinite, I, F>("__nv_isinff", kOneFloat),
    vector_row<IsInfinite, I, D>("__nv_isinfd", kOneFloat),
    vector_row<IsFinite, I, F>("__nv_finitef", kOneFloat),
    vector_row<IsFinite, I, D>("__nv_isfinited", kOneFloat),
    vector_row<SignBit, I, F>("__nv_signbitf", kOneInteger),
    vector_row<SignBit, I, D>("__nv_signbitd", kOneInteger),
    TRL_BOTH(IntegerExponent, "ilogb", kPolynomial, I, X),
    vector_row<Saturate, F, F>("__nv_saturatef", kOneFloat),
    vector_row<HighReciprocal, D, D>("__nv_rcp64h", kOneSpecial),
    vector_row<Sine, F, F>("__nv_fast_sinf", kOneSpecial),
    vector_row<Cosine, F, F>("__nv_fast_cosf", kOneSpecial),
    plain_row<Tangent, F, F>("__nv_fast_tanf", kOneSpecial),
    vector_row<Tanh, F, F>("__nv_fast_tanhf", kOneSpecial),
    vector_row<Exp, F, F>("__nv_fast_expf", kOneSpecial),
    plain_row<Exp10, F, F>("__nv_fast_exp10f", kOneSpecial),
    vector_row<Log, F, F>("__nv_fast_logf", kOneSpecial),
    vector_row<Log2, F, F>("__nv_fast_log2f", kOneSpecial),
    plain_row<Log10, F, F>("__nv_fast_log10f", kOneSpecial),
    plain_row<FastPower, F, F, F>("__nv_fast_powf", kOneSpecial),
    vector_row<FastDivide, F, F, F>("__nv_fast_fdividef", kOneSpecial),
};
#undef TRL_UNARY

}  // namespace

std::span<const LibdeviceFunction> libdevice_elementary() {
  return kFunctions;
}

}  // namespace tritonrl::machine
