#include "machine/arithmetic/elementwise_find.h"

namespace tritonrl::machine {
namespace {

TRL_INLINE float as_float(float value) {
  return value;
}
TRL_INLINE float as_float(double value) {
  return to_odd_float(value);
}

// The bits of the result; the conversion is the operation.
template <class Format, Rounding R>
TRL_OPERATION(ToFormat, typename Format::Storage, (T value), Format::template narrow<R>(as_float(value)))
struct ToFloatTowardZero {
  static TRL_INLINE float apply(double value) {
    const float nearest = static_cast<float>(value);
    const bool too_large = __builtin_fabs(static_cast<double>(nearest)) > __builtin_fabs(value);
    return bits_as<float>(bits_as<std::uint32_t>(nearest) - choose(too_large, 1u, 0u));
  }
};

// Loops for every vector width only where they are worth their code: not for what Triton never converts.
template <Rounding R, Scalar From, Scalar To>
Elementwise loop() {
  constexpr bool kFinite = From == Scalar::kF8E5M2 && To == Scalar::kBF16;
  using In = std::conditional_t<kFinite, Narrow<F8E5M2Finite>, ElementOf<From>>;
  constexpr bool kRare = To == Scalar::kF8E4M3B15 || To == Scalar::kF8E4M3FNUZ || To == Scalar::kF8E5M2FNUZ;
  constexpr bool kFromWide = From == Scalar::kF32 || sizeof(typename In::Storage) == 2;
  if constexpr (From == Scalar::kF64 && To == Scalar::kF32 && R == Rounding::kTowardZero) {
    return plain_loop<ToFloatTowardZero, ElementOf<To>, In>();
  } else if constexpr (To == Scalar::kF32 || To == Scalar::kF64) {
    return vector_loop<Same, ElementOf<To>, In>();
  } else {
    using Format = typename ElementOf<To>::Bits;
    using Out = Plain<typename Format::Storage>;
    if constexpr (kFromWide && !kRare) return vector_loop<ToFormat<Format, R>, Out, In>();
    return plain_loop<ToFormat<Format, R>, Out, In>();
  }
}

template <Rounding R, Scalar... From>
Elementwise convert_from(Scalar from, Scalar to) {
  return for_scalar<From...>(from, [&]<Scalar F> {
    return for_scalar<Scalar::kF8E4M3, Scalar::kF8E5M2, Scalar::kF8E4M3B15, Scalar::kF8E4M3FNUZ, Scalar::kF8E5M2FNUZ,
                      Scalar::kF16, Scalar::kBF16, Scalar::kF32, Scalar::kF64>(
        to, []<Scalar T> { return loop<R, F, T>(); });
  });
}

Elementwise convert(Scalar from, Scalar to, bool toward_zero) {
  if (toward_zero && size_of(from) > 1) {
    return convert_from<Rounding::kTowardZero, Scalar::kF16, Scalar::kBF16, Scalar::kF32, Scalar::kF64>(from, to);
  }
  if (toward_zero && size_of(to) == 1) return nullptr;  // to the other sizes it is exact
  return convert_from<Rounding::kNearestEven, Scalar::kF8E4M3, Scalar::kF8E5M2, Scalar::kF8E4M3B15, Scalar::kF8E4M3FNUZ,
                      Scalar::kF8E5M2FNUZ, Scalar::kF16, Scalar::kBF16, Scalar::kF32, Scalar::kF64>(from, to);
}

}  // namespace

ElementwiseOp find_float_cast(const ElementwiseRequest& request) {
  if (request.result != 0 || !request.has_operands(1)) return {};
  if (request.name != "tt.fp_to_fp" && request.name != "arith.extf" && request.name != "arith.truncf") return {};
  return {convert(request.in[0], request.out, request.op.string("rounding") == "rtz"), ArithmeticClass::kInteger, 1};
}

}  // namespace tritonrl::machine
