#include "machine/arithmetic/elementwise_find.h"
#include "machine/arithmetic/elementwise_libm.h"
#include "machine/arithmetic/elementwise_vector_math.h"

namespace tritonrl::machine {
namespace {

template <class Op>
Elementwise vector_unary(Scalar scalar) {
  if (scalar == Scalar::kF64) return plain_loop<Op, Plain<double>, Plain<double>>();
  return for_float(scalar, []<Scalar S> { return vector_loop<Op, ElementOf<S>, ElementOf<S>>(); });
}
template <class Op>
Elementwise unary(Scalar scalar) {
  return for_float(scalar, []<Scalar S> { return plain_loop<Op, ElementOf<S>, ElementOf<S>>(); });
}
template <class Op>
Elementwise binary(Scalar scalar) {
  return for_float(scalar, []<Scalar S> { return plain_loop<Op, ElementOf<S>, ElementOf<S>, ElementOf<S>>(); });
}

Elementwise power_of_integer(Scalar base, Scalar exponent) {
  return for_float(base, [&]<Scalar S> {
    return for_integer(exponent,
                       []<Scalar N> { return plain_loop<PowerOfInteger, ElementOf<S>, ElementOf<S>, ElementOf<N>>(); });
  });
}

constexpr ArithmeticClass kFloat = ArithmeticClass::kFloat, kSpecial = ArithmeticClass::kSpecial;

// The cost is that of the GPU's code: one instruction of the special unit where it has one, else a polynomial's worth.
constexpr ElementwiseRow kRows[] = {
    {"math.exp", 1, vector_unary<Exp>, kSpecial, 1},
    {"math.exp2", 1, vector_unary<Exp2>, kSpecial, 1},
    {"math.log", 1, vector_unary<Log>, kSpecial, 1},
    {"math.log2", 1, vector_unary<Log2>, kSpecial, 1},
    {"math.sin", 1, vector_unary<Sine>, kSpecial, 1},
    {"math.cos", 1, vector_unary<Cosine>, kSpecial, 1},
    {"math.rsqrt", 1, vector_unary<ReciprocalSquareRoot>, kSpecial, 1},
    {"math.tanh", 1, vector_unary<Tanh>, kFloat, 20},
    {"math.erf", 1, vector_unary<Erf>, kFloat, 20},
    {"math.ceil", 1, vector_unary<Ceiling>, kFloat, 1},
    {"math.floor", 1, vector_unary<Floor>, kFloat, 1},
    {"math.trunc", 1, vector_unary<Truncate>, kFloat, 1},
    {"math.round", 1, vector_unary<RoundAway>, kFloat, 4},
    {"math.roundeven", 1, vector_unary<RoundEven>, kFloat, 1},
    {"math.log1p", 1, unary<Log1p>, kFloat, 20},
    {"math.log10", 1, unary<Log10>, kSpecial, 1},
    {"math.expm1", 1, unary<Expm1>, kFloat, 20},
    {"math.tan", 1, unary<Tangent>, kFloat, 30},
    {"math.asin", 1, unary<ArcSine>, kFloat, 20},
    {"math.acos", 1, unary<ArcCosine>, kFloat, 20},
    {"math.atan", 1, unary<ArcTangent>, kFloat, 20},
    {"math.sinh", 1, unary<Sinh>, kFloat, 20},
    {"math.cosh", 1, unary<Cosh>, kFloat, 20},
    {"math.asinh", 1, unary<ArcSinh>, kFloat, 25},
    {"math.acosh", 1, unary<ArcCosh>, kFloat, 25},
    {"math.atanh", 1, unary<ArcTanh>, kFloat, 25},
    {"math.erfc", 1, unary<Erfc>, kFloat, 30},
    {"math.cbrt", 1, unary<CubeRoot>, kFloat, 15},
    {"math.atan2", 2, binary<ArcTangent2>, kFloat, 30},
    {"math.powf", 2, binary<Power>, kFloat, 40},
};

}  // namespace

ElementwiseOp find_math(const ElementwiseRequest& request) {
  if (request.result != 0) return {};
  if (request.name == "math.fpowi" && request.has_operands(2) && request.in[0] == request.out) {
    return {power_of_integer(request.in[0], request.in[1]), kFloat, 40};
  }
  return find_uniform(kRows, request);
}

}  // namespace tritonrl::machine
