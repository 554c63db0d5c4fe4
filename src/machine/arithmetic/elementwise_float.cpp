#include "machine/arithmetic/elementwise_float.h"

#include "machine/arithmetic/elementwise_find.h"

namespace tritonrl::machine {
namespace {

using namespace floating;

struct Clamp {
  template <class T>
  static TRL_INLINE T apply(T value, T low, T high) {
    // Triton clamps between -c and c with one instruction, which makes c of a NaN.
    const T floor = choose(low == -high && value != value, high, low);
    return pick_number<false>(pick_number<true>(value, floor), high);
  }
};
TRL_OPERATION(ClampOrNan, T, (T value, T low, T high), pick_or_nan<false>(pick_or_nan<true>(value, low), high))

// Rounded once. Products of floats are exact in a double; the sum is then rounded to odd, so that the rounding to the
// type itself is the only one that counts.
struct FusedMultiplyAdd {
  static TRL_INLINE double apply(double a, double b, double c) { return to_odd_sum(a * b, c); }
};
struct FusedMultiplyAddDouble {
  static TRL_INLINE double apply(double a, double b, double c) { return __builtin_fma(a, b, c); }
};
struct FloatAsDouble {
  using Storage = float;
  using Value = double;
  static TRL_INLINE Value load(Storage storage) { return storage; }
  static TRL_INLINE Storage store(Value value) { return static_cast<float>(value); }
};

template <class Op>
Elementwise unary(Scalar scalar) {
  return for_float(scalar, []<Scalar S> { return vector_loop<Op, ElementOf<S>, ElementOf<S>>(); });
}
template <class Op>
Elementwise binary(Scalar scalar) {
  return for_float(scalar, []<Scalar S> { return vector_loop<Op, ElementOf<S>, ElementOf<S>, ElementOf<S>>(); });
}
Elementwise remainder(Scalar scalar) {
  return for_float(scalar, []<Scalar S> { return plain_loop<Remainder, ElementOf<S>, ElementOf<S>, ElementOf<S>>(); });
}
template <class Op>
Elementwise ternary(Scalar scalar) {
  return for_float(scalar,
                   []<Scalar S> { return vector_loop<Op, ElementOf<S>, ElementOf<S>, ElementOf<S>, ElementOf<S>>(); });
}
template <class Op, class E>
Elementwise fused_loop() {
  return vector_loop<Op, E, E, E, E>();
}
Elementwise fused(Scalar scalar) {
  if (scalar == Scalar::kF16) return fused_loop<FusedMultiplyAdd, Narrow<Half, double>>();
  if (scalar == Scalar::kBF16) return fused_loop<FusedMultiplyAdd, Narrow<BFloat16, double>>();
  if (scalar == Scalar::kF32) return fused_loop<FusedMultiplyAdd, FloatAsDouble>();
  return scalar == Scalar::kF64 ? fused_loop<FusedMultiplyAddDouble, Plain<double>>() : nullptr;
}

constexpr ArithmeticClass kSpecial = ArithmeticClass::kSpecial;

constexpr ElementwiseRow kRows[] = {
    {"arith.addf", 2, binary<Add>},
    {"arith.subf", 2, binary<Subtract>},
    {"arith.mulf", 2, binary<Multiply>},
    {"arith.negf", 1, unary<Negate>},
    {"arith.maxnumf", 2, binary<Number<true>>},
    {"arith.minnumf", 2, binary<Number<false>>},
    {"arith.maximumf", 2, binary<OrNan<true>>},
    {"arith.minimumf", 2, binary<OrNan<false>>},
    {"math.absf", 1, unary<Absolute>},
    {"math.copysign", 2, binary<CopySign>},
    {"math.fma", 3, fused},
    {"arith.divf", 2, binary<Divide>, kSpecial, 8},
    {"tt.precise_divf", 2, binary<Divide>, kSpecial, 8},
    {"arith.remf", 2, remainder, kSpecial, 16},
    {"math.sqrt", 1, unary<SquareRoot>, kSpecial, 1},
    {"tt.precise_sqrt", 1, unary<SquareRoot>, kSpecial, 4},
};

}  // namespace

ElementwiseOp find_float_arithmetic(const ElementwiseRequest& request) {
  if (request.result != 0) return {};
  if (request.name == "tt.clampf" && request.is_uniform(3)) {
    const bool nan = request.op.string("propagateNan") == "all";
    return {nan ? ternary<ClampOrNan>(request.out) : ternary<Clamp>(request.out), ArithmeticClass::kFloat, 2};
  }
  return find_uniform(kRows, request);
}

}  // namespace tritonrl::machine
