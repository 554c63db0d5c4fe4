#pragma once

namespace tritonrl::machine {

// What libdevice has and the C library has not, in double. Exact to a few units in the last place.

double erfinv(double x);
double erfcinv(double x);
double erfcx(double x);  // exp(x²)·erfc(x)
double normcdf(double x);
double normcdfinv(double x);
double bessel_i0(double x);
double bessel_i1(double x);
double bessel_jn(int n,
                 double x);  // NaN for n < 0, as in CUDA, and for n beyond 65536, whose recurrence takes too long
double bessel_yn(int n, double x);  // likewise
double log_gamma(double x);
double sinpi(double x);
double cospi(double x);
// The square root of the sum of squares, without overflow on the way; infinite if any operand is.
double norm(double a, double b, double c, double d);

}  // namespace tritonrl::machine
