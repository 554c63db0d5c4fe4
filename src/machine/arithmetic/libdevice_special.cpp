#include <math.h>  // j0 and its like: POSIX, not in <cmath>

#include <cmath>

#include "machine/arithmetic/libdevice.h"
#include "machine/arithmetic/libdevice_functions.h"

namespace tritonrl::machine {
namespace {

using namespace libdevice_table;

#define TRL_OPERATION(Name, parameters, expression)       \
  struct Name {                                           \
    static double apply parameters { return expression; } \
  };
TRL_OPERATION(ErrorInverse, (double x), erfinv(x))
TRL_OPERATION(ComplementInverse, (double x), erfcinv(x))
TRL_OPERATION(ScaledComplement, (double x), erfcx(x))
TRL_OPERATION(NormalCdf, (double x), normcdf(x))
TRL_OPERATION(NormalCdfInverse, (double x), normcdfinv(x))
TRL_OPERATION(LogGamma, (double x), log_gamma(x))
TRL_OPERATION(Gamma, (double x), std::tgamma(x))
TRL_OPERATION(BesselJ0, (double x), ::j0(x))
TRL_OPERATION(BesselJ1, (double x), ::j1(x))
TRL_OPERATION(BesselY0, (double x), ::y0(x))
TRL_OPERATION(BesselY1, (double x), ::y1(x))
TRL_OPERATION(BesselJn, (std::int32_t n, double x), bessel_jn(n, x))
TRL_OPERATION(BesselYn, (std::int32_t n, double x), bessel_yn(n, x))
TRL_OPERATION(BesselI0, (double x), bessel_i0(x))
TRL_OPERATION(BesselI1, (double x), bessel_i1(x))
TRL_OPERATION(SinePi, (double x), sinpi(x))
TRL_OPERATION(CosinePi, (double x), cospi(x))
TRL_OPERATION(ReciprocalCubeRoot, (double x), 1 / std::cbrt(x))
TRL_OPERATION(Hypotenuse, (double a, double b), std::hypot(a, b))
TRL_OPERATION(ReciprocalHypotenuse, (double a, double b), 1 / std::hypot(a, b))
TRL_OPERATION(Norm3, (double a, double b, double c), norm(a, b, c, 0))
TRL_OPERATION(ReciprocalNorm3, (double a, double b, double c), 1 / norm(a, b, c, 0))
TRL_OPERATION(Norm4, (double a, double b, double c, double d), norm(a, b, c, d))
TRL_OPERATION(ReciprocalNorm4, (double a, double b, double c, double d), 1 / norm(a, b, c, d))
#undef TRL_OPERATION

// A function's float and double forms.
template <class Op>
constexpr LibdeviceFunction unary_float(std::string_view symbol) {
  return plain_row<Op, F, F>(symbol, kLong);
}
template <class Op>
constexpr LibdeviceFunction unary(std::string_view symbol) {
  return plain_row<Op, D, D>(symbol, kLong);
}

constexpr LibdeviceFunction kFunctions[] = {
    unary_float<ErrorInverse>("__nv_erfinvf"),
    unary<ErrorInverse>("__nv_erfinv"),
    unary_float<ComplementInverse>("__nv_erfcinvf"),
    unary<ComplementInverse>("__nv_erfcinv"),
    unary_float<ScaledComplement>("__nv_erfcxf"),
    unary<ScaledComplement>("__nv_erfcx"),
    unary_float<NormalCdf>("__nv_normcdff"),
    unary<NormalCdf>("__nv_normcdf"),
    unary_float<NormalCdfInverse>("__nv_normcdfinvf"),
    unary<NormalCdfInverse>("__nv_normcdfinv"),
    unary_float<LogGamma>("__nv_lgammaf"),
    unary<LogGamma>("__nv_lgamma"),
    unary_float<Gamma>("__nv_tgammaf"),
    unary<Gamma>("__nv_tgamma"),
    unary_float<BesselJ0>("__nv_j0f"),
    unary<BesselJ0>("__nv_j0"),
    unary_float<BesselJ1>("__nv_j1f"),
    unary<BesselJ1>("__nv_j1"),
    unary_float<BesselY0>("__nv_y0f"),
    unary<BesselY0>("__nv_y0"),
    unary_float<BesselY1>("__nv_y1f"),
    unary<BesselY1>("__nv_y1"),
    plain_row<BesselJn, F, I, F>("__nv_jnf", kLong),
    plain_row<BesselJn, D, I, D>("__nv_jn", kLong),
    plain_row<BesselYn, F, I, F>("__nv_ynf", kLong),
    plain_row<BesselYn, D, I, D>("__nv_yn", kLong),
    unary_float<BesselI0>("__nv_cyl_bessel_i0f"),
    unary<BesselI0>("__nv_cyl_bessel_i0"),
    unary_float<BesselI1>("__nv_cyl_bessel_i1f"),
    unary<BesselI1>("__nv_cyl_bessel_i1"),
    unary_float<SinePi>("__nv_sinpif"),
    unary<SinePi>("__nv_sinpi"),
    unary_float<CosinePi>("__nv_cospif"),
    unary<CosinePi>("__nv_cospi"),
    unary_float<ReciprocalCubeRoot>("__nv_rcbrtf"),
    unary<ReciprocalCubeRoot>("__nv_rcbrt"),
    plain_row<Hypotenuse, F, F, F>("__nv_hypotf", kPolynomial),
    plain_row<Hypotenuse, D, D, D>("__nv_hypot", kPolynomial),
    plain_row<ReciprocalHypotenuse, F, F, F>("__nv_rhypotf", kPolynomial),
    plain_row<ReciprocalHypotenuse, D, D, D>("__nv_rhypot", kPolynomial),
    plain_row<Norm3, F, F, F, F>("__nv_norm3df", kPolynomial),
    plain_row<Norm3, D, D, D, D>("__nv_norm3d", kPolynomial),
    plain_row<ReciprocalNorm3, F, F, F, F>("__nv_rnorm3df", kPolynomial),
    plain_row<ReciprocalNorm3, D, D, D, D>("__nv_rnorm3d", kPolynomial),
    plain_row<Norm4, F, F, F, F, F>("__nv_norm4df", kPolynomial),
    plain_row<Norm4, D, D, D, D, D>("__nv_norm4d", kPolynomial),
    plain_row<ReciprocalNorm4, F, F, F, F, F>("__nv_rnorm4df", kPolynomial),
    plain_row<ReciprocalNorm4, D, D, D, D, D>("__nv_rnorm4d", kPolynomial),
};

}  // namespace

std::span<const LibdeviceFunction> libdevice_special() {
  return kFunctions;
}

}  // namespace tritonrl::machine
