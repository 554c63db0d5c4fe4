#include <math.h>  // j0 and its like: POSIX, not in <cmath>

#include <cmath>

#include "machine/arithmetic/libdevice.h"
#include "machine/arithmetic/libdevice_functions.h"

namespace tritonrl::machine {
namespace {

using namespace libdevice_table;

#define TRL_DOUBLES(Name, parameters, expression)         \
  struct Name {                                           \
    static double apply parameters { return expression; } \
  };
TRL_DOUBLES(ErrorInverse, (double x), erfinv(x))
TRL_DOUBLES(ComplementInverse, (double x), erfcinv(x))
TRL_DOUBLES(ScaledComplement, (double x), erfcx(x))
TRL_DOUBLES(NormalCdf, (double x), normcdf(x))
TRL_DOUBLES(NormalCdfInverse, (double x), normcdfinv(x))
TRL_DOUBLES(LogGamma, (double x), log_gamma(x))
TRL_DOUBLES(Gamma, (double x), std::tgamma(x))
TRL_DOUBLES(BesselJ0, (double x), ::j0(x))
TRL_DOUBLES(BesselJ1, (double x), ::j1(x))
TRL_DOUBLES(BesselY0, (double x), ::y0(x))
TRL_DOUBLES(BesselY1, (double x), ::y1(x))
TRL_DOUBLES(BesselJn, (std::int32_t n, double x), bessel_jn(n, x))
TRL_DOUBLES(BesselYn, (std::int32_t n, double x), bessel_yn(n, x))
TRL_DOUBLES(BesselI0, (double x), bessel_i0(x))
TRL_DOUBLES(BesselI1, (double x), bessel_i1(x))
TRL_DOUBLES(SinePi, (double x), sinpi(x))
TRL_DOUBLES(CosinePi, (double x), cospi(x))
TRL_DOUBLES(ReciprocalCubeRoot, (double x), 1 / std::cbrt(x))
TRL_DOUBLES(Hypotenuse, (double a, double b), std::hypot(a, b))
TRL_DOUBLES(ReciprocalHypotenuse, (double a, double b), 1 / std::hypot(a, b))
TRL_DOUBLES(Norm3, (double a, double b, double c), norm(a, b, c, 0))
TRL_DOUBLES(ReciprocalNorm3, (double a, double b, double c), 1 / norm(a, b, c, 0))
TRL_DOUBLES(Norm4, (double a, double b, double c, double d), norm(a, b, c, d))
TRL_DOUBLES(ReciprocalNorm4, (double a, double b, double c, double d), 1 / norm(a, b, c, d))
#undef TRL_DOUBLES

constexpr LibdeviceFunction kFunctions[] = {
    TRL_BOTH(ErrorInverse, "erfinv", kLong, X, X),
    TRL_BOTH(ComplementInverse, "erfcinv", kLong, X, X),
    TRL_BOTH(ScaledComplement, "erfcx", kLong, X, X),
    TRL_BOTH(NormalCdf, "normcdf", kLong, X, X),
    TRL_BOTH(NormalCdfInverse, "normcdfinv", kLong, X, X),
    TRL_BOTH(LogGamma, "lgamma", kLong, X, X),
    TRL_BOTH(Gamma, "tgamma", kLong, X, X),
    TRL_BOTH(BesselJ0, "j0", kLong, X, X),
    TRL_BOTH(BesselJ1, "j1", kLong, X, X),
    TRL_BOTH(BesselY0, "y0", kLong, X, X),
    TRL_BOTH(BesselY1, "y1", kLong, X, X),
    TRL_BOTH(BesselJn, "jn", kLong, X, I, X),
    TRL_BOTH(BesselYn, "yn", kLong, X, I, X),
    TRL_BOTH(BesselI0, "cyl_bessel_i0", kLong, X, X),
    TRL_BOTH(BesselI1, "cyl_bessel_i1", kLong, X, X),
    TRL_BOTH(SinePi, "sinpi", kLong, X, X),
    TRL_BOTH(CosinePi, "cospi", kLong, X, X),
    TRL_BOTH(ReciprocalCubeRoot, "rcbrt", kLong, X, X),
    TRL_BOTH(Hypotenuse, "hypot", kPolynomial, X, X, X),
    TRL_BOTH(ReciprocalHypotenuse, "rhypot", kPolynomial, X, X, X),
    TRL_BOTH(Norm3, "norm3d", kPolynomial, X, X, X, X),
    TRL_BOTH(ReciprocalNorm3, "rnorm3d", kPolynomial, X, X, X, X),
    TRL_BOTH(Norm4, "norm4d", kPolynomial, X, X, X, X, X),
    TRL_BOTH(ReciprocalNorm4, "rnorm4d", kPolynomial, X, X, X, X, X),
};

}  // namespace

std::span<const LibdeviceFunction> libdevice_special() {
  return kFunctions;
}

}  // namespace tritonrl::machine
