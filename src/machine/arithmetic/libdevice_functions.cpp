#include "machine/arithmetic/libdevice_functions.h"

#include <math.h>  // lgamma_r, jn, yn: POSIX, not in <cmath>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace tritonrl::machine {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kTwoOverRootPi = 2 * std::numbers::inv_sqrtpi;
constexpr int kMostOrder = 65536;

// One step of Halley's method towards erf(y) = target, given how far erf(y) is beyond it.
double halley(double y, double beyond) {
  const double newton = beyond / (kTwoOverRootPi * std::exp(-y * y));
  return y - newton / (1 + y * newton);
}

// y > 0 with erfc(y) = c for 0 < c < 1. Starts from the leading terms of the asymptotic expansion, or from the line
// near 1.
double positive_erfcinv(double c) {
  double y = 0;
  if (c > 0.4) {
    y = (1 - c) / kTwoOverRootPi;
    y += y * y * y / 3;
  } else {
    const double l = -std::log(c * std::sqrt(std::numbers::pi));
    y = std::sqrt(std::max(l - 0.5 * std::log(std::max(l, 0.4)), 0.2));
  }
  for (int i = 0; i < 6; ++i) {
    // Near 1 the difference of the complements loses nothing: c came from an exact 1 - x.
    const double next = halley(y, c - std::erfc(y));
    if (!(std::fabs(next - y) > 1e-17 * y)) break;
    y = next;
  }
  return y;
}

// For |x| below one half, where erf itself is the better side.
double small_erfinv(double x) {
  double y = x / kTwoOverRootPi;
  for (int i = 0; i < 6; ++i) {
    const double next = halley(y, std::erf(y) - x);
    if (!(std::fabs(next - y) > 1e-17 * std::fabs(y))) break;
    y = next;
  }
  return y;
}

// Modified Bessel function I of order 0 or 1 for x >= 0.
double bessel_i(int order, double x) {
  if (x == kInfinity) return x;
  if (x < 30) {
    const double quarter = x * x / 4;
    double term = order == 0 ? 1 : x / 2, sum = term;
    for (int k = 1; k < 200 && term > sum * 1e-18; ++k) {
      term *= quarter / (static_cast<double>(k) * (k + order));
      sum += term;
    }
    return sum;
  }
  double term = 1, sum = 1;
  for (int k = 1; k < 40; ++k) {
    const double odd = 2 * k - 1;
    term *= -(4.0 * order - odd * odd) / (8 * k * x);
    sum += term;
    if (std::fabs(term) < 1e-18) break;
  }
  const double root = std::exp(x / 2);  // in halves: the result may be finite where exp(x) is not
  return root * (sum / std::sqrt(2 * std::numbers::pi * x)) * root;
}

}  // namespace

double erfinv(double x) {
  const double a = std::fabs(x);
  if (!(a < 1)) return a == 1 ? std::copysign(kInfinity, x) : kNan;
  if (a < 0.5) return a < 1e-300 ? x / kTwoOverRootPi : small_erfinv(x);
  return std::copysign(positive_erfcinv(1 - a), x);
}

double erfcinv(double x) {
  if (!(x > 0 && x < 2)) return x == 0 ? kInfinity : x == 2 ? -kInfinity : kNan;
  if (x > 0.5) return erfinv(1 - x);
  return positive_erfcinv(x);
}

double erfcx(double x) {
  if (x < -27) return kInfinity;
  if (x < 10) {
    // exp of a square whose rounding error is taken into account.
    const double square = x * x, error = std::fma(x, x, -square);
    return std::exp(square) * (1 + error) * std::erfc(x);
  }
  if (x > 1e8) return std::numbers::inv_sqrtpi / x;
  const double t = 1 / (2 * x * x);
  double term = 1, sum = 1;
  for (int k = 1; k < 30; ++k) {
    term *= -(2 * k - 1) * t;
    sum += term;
    if (std::fabs(term) < 1e-18) break;
  }
  return sum * std::numbers::inv_sqrtpi / x;
}

double normcdf(double x) {
  const double a = -x * (std::numbers::sqrt2 / 2);
  if (!(a > -7 && a < 28)) return std::erfc(a) / 2;
  // What `a` lost in rounding, and 1/√2 in its constant, times erfc's slope.
  constexpr double kRootHalfRest = -4.833646656726456726e-17;  // 1/√2 - double(1/√2)
  const double lost = std::fma(-x, std::numbers::sqrt2 / 2, -a) - x * kRootHalfRest;
  return (std::erfc(a) - kTwoOverRootPi * std::exp(-a * a) * lost) / 2;
}

double normcdfinv(double x) {
  return -std::numbers::sqrt2 * erfcinv(2 * x);
}

double bessel_i0(double x) {
  return std::isnan(x) ? x : bessel_i(0, std::fabs(x));
}
double bessel_i1(double x) {
  return std::isnan(x) ? x : std::copysign(bessel_i(1, std::fabs(x)), x);
}

double bessel_jn(int n, double x) {
  return n < 0 || n > kMostOrder ? kNan : ::jn(n, x);
}
double bessel_yn(int n, double x) {
  return n < 0 || n > kMostOrder ? kNan : ::yn(n, x);
}

double log_gamma(double x) {
  int sign = 0;  // lgamma would write it to a global variable
  return ::lgamma_r(x, &sign);
}

double sinpi(double x) {
  if (!std::isfinite(x)) return kNan;
  double r = x - 2 * std::rint(x / 2);  // from -1 to 1, exact
  if (std::fabs(r) > 0.5) r = std::copysign(1.0, r) - r;
  return r == 0 ? std::copysign(0.0, x) : std::sin(std::numbers::pi * r);
}

double cospi(double x) {
  if (!std::isfinite(x)) return kNan;
  const double r = std::fabs(x - 2 * std::rint(x / 2));
  if (r <= 0.25) return std::cos(std::numbers::pi * r);
  if (r < 0.75) return std::sin(std::numbers::pi * (0.5 - r));
  return -std::cos(std::numbers::pi * (1 - r));
}

double norm(double a, double b, double c, double d) {
  const double values[] = {std::fabs(a), std::fabs(b), std::fabs(c), std::fabs(d)};
  double largest = 0;
  bool nan = false;
  for (const double value : values) {
    if (value == kInfinity) return kInfinity;
    nan = nan || std::isnan(value);
    if (value > largest) largest = value;
  }
  if (nan) return kNan;
  if (largest == 0) return 0;
  int exponent = 0;
  std::frexp(largest, &exponent);
  double sum = 0;
  for (const double value : values) {
    const double scaled = std::ldexp(value, -exponent);
    sum += scaled * scaled;
  }
  return std::ldexp(std::sqrt(sum), exponent);
}

}  // namespace tritonrl::machine
