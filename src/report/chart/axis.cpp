#include "report/chart/axis.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tritonrl::report {

Axis round_axis(double low, double high, int count) {
  if (!std::isfinite(low) || !std::isfinite(high) || low > high) low = 0, high = 1;
  // beyond this, steps between ticks overflow or are lost in rounding
  constexpr double kMost = 1e300;
  low = std::clamp(low, -kMost, kMost), high = std::clamp(high, -kMost, kMost);
  const double least = std::max({std::abs(low), std::abs(high), 1e-30}) * 1e-6;
  if (high - low < least) {
    const double size = std::max(std::abs(low), std::abs(high));
    const double half = size < 1e-30 ? 0.5 : size * 0.05;
    low -= half, high += half;
  }
  const double rough = (high - low) / std::max(count, 1), power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (rough <= factor * power) {
      step = factor * power;
      break;
    }
  }
  Axis axis;
  const double first = std::floor(low / step + 1e-9), last = std::ceil(high / step - 1e-9);
  axis.low = first * step, axis.high = last * step;
  for (double at = first; at <= last; ++at) axis.ticks.push_back(at * step);
  return axis;
}

std::string tick_text(double value) {
  struct Unit {
    double size;
    const char* name;
  };
  const double size = std::abs(value);
  char text[40];
  for (const Unit unit : {Unit{1e9, "G"}, Unit{1e6, "M"}, Unit{1e3, "k"}}) {
    if (size < unit.size || size >= 1e15) continue;
    std::snprintf(text, sizeof(text), "%.4g%s", value / unit.size, unit.name);
    return text;
  }
  std::snprintf(text, sizeof(text), "%.4g", size < 1e-12 ? 0.0 : value);
  return text;
}

}  // namespace tritonrl::report
