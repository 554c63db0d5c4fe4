#include "machine/arithmetic/elementwise_find.h"

namespace tritonrl::machine {
namespace {

// Sources come as floats, or as doubles where they are.
struct FloatSource : Plain<float> {};
struct DoubleSource : Plain<double> {};

struct Same {
  template <class T>
  static TRL_INLINE T apply(T a) {
    return a;
  }
};

TRL_INLINE float as_float(float value) {
  return value;
}
TRL_INLINE float as_float(double value) {
  return to_odd_float(value);
}

// The bits of the result; the conversion is the operation.
template <class Format, Rounding R>
struct ToFormat {
  template <class T>
  static TRL_INLINE typename Format::Storage apply(T value) {
    return Format::template narrow<R>(as_float(value));
  }
};
struct ToFloatTowardZero {
  static TRL_INLINE float apply(double value) {
    const float nearest = static_cast<float>(value);
    const bool too_large = __builtin_fabs(static_cast<double>(nearest)) > __builtin_fabs(value);
    return bits_as<float>(bits_as<std::uint32_t>(nearest) - choose(too_large, 1u, 0u));
  }
};

// Loops for every vector width only where they are worth their code: not for what Triton never converts.
template <class From, Rounding R, class Format>
Elementwise convert_to() {
  using Out = Plain<typename Format::Storage>;
  constexpr bool kRare =
      std::is_same_v<Format, F8E4M3B15> || std::is_same_v<Format, F8E4M3Fnuz> || std::is_same_v<Format, F8E5M2Fnuz>;
  constexpr bool kFromWide = std::is_same_v<From, FloatSource> || sizeof(typename From::Storage) == 2;
  if constexpr (kFromWide && !kRare) {
    return vector_loop<ToFormat<Format, R>, Out, From>();
  } else {
    return plain_loop<ToFormat<Format, R>, Out, From>();
  }
}

template <class From, Rounding R>
Elementwise convert_from(Scalar to) {
  switch (to) {
    case Scalar::kF8E4M3:
      return convert_to<From, R, F8E4M3>();
    case Scalar::kF8E5M2:
      return convert_to<From, R, F8E5M2>();
    case Scalar::kF8E4M3B15:
      return convert_to<From, R, F8E4M3B15>();
    case Scalar::kF8E4M3FNUZ:
      return convert_to<From, R, F8E4M3Fnuz>();
    case Scalar::kF8E5M2FNUZ:
      return convert_to<From, R, F8E5M2Fnuz>();
    case Scalar::kF16:
      return convert_to<From, R, Half>();
    case Scalar::kBF16:
      return convert_to<From, R, BFloat16>();
    case Scalar::kF32:
      if constexpr (std::is_same_v<From, DoubleSource> && R == Rounding::kTowardZero) {
        return plain_loop<ToFloatTowardZero, Plain<float>, From>();
      } else {
        return vector_loop<Same, Plain<float>, From>();
      }
    case Scalar::kF64:
      return vector_loop<Same, Plain<double>, From>();
    default:
      return nullptr;
  }
}

Elementwise convert(Scalar from, Scalar to) {
  constexpr Rounding kNearest = Rounding::kNearestEven;
  switch (from) {
    case Scalar::kF8E4M3:
      return convert_from<Narrow<F8E4M3>, kNearest>(to);
    case Scalar::kF8E5M2:
      if (to == Scalar::kBF16) return convert_from<Narrow<F8E5M2Finite>, kNearest>(to);
      return convert_from<Narrow<F8E5M2>, kNearest>(to);
    case Scalar::kF8E4M3B15:
      return convert_from<Narrow<F8E4M3B15>, kNearest>(to);
    case Scalar::kF8E4M3FNUZ:
      return convert_from<Narrow<F8E4M3Fnuz>, kNearest>(to);
    case Scalar::kF8E5M2FNUZ:
      return convert_from<Narrow<F8E5M2Fnuz>, kNearest>(to);
    case Scalar::kF16:
      return convert_from<Narrow<Half>, kNearest>(to);
    case Scalar::kBF16:
      return convert_from<Narrow<BFloat16>, kNearest>(to);
    case Scalar::kF32:
      return convert_from<FloatSource, kNearest>(to);
    case Scalar::kF64:
      return convert_from<DoubleSource, kNearest>(to);
    default:
      return nullptr;
  }
}

Elementwise convert_toward_zero(Scalar from, Scalar to) {
  switch (from) {
    case Scalar::kF16:
      return convert_from<Narrow<Half>, Rounding::kTowardZero>(to);
    case Scalar::kBF16:
      return convert_from<Narrow<BFloat16>, Rounding::kTowardZero>(to);
    case Scalar::kF32:
      return convert_from<FloatSource, Rounding::kTowardZero>(to);
    case Scalar::kF64:
      return convert_from<DoubleSource, Rounding::kTowardZero>(to);
    default:
      return size_of(to) > 1 ? convert(from, to) : nullptr;  // exact
  }
}

}  // namespace

ElementwiseOp find_float_cast(const ElementwiseRequest& request) {
  if (request.result != 0 || !request.has_operands(1)) return {};
  if (request.name != "tt.fp_to_fp" && request.name != "arith.extf" && request.name != "arith.truncf") return {};
  const bool toward_zero = request.op.string("rounding") == "rtz";
  return {toward_zero ? convert_toward_zero(request.in[0], request.out) : convert(request.in[0], request.out),
          ArithmeticClass::kInteger, 1};
}

}  // namespace tritonrl::machine
