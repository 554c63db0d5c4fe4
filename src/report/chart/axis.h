#pragma once

#include <functional>
#include <string>
#include <vector>

namespace tritonrl::report {

// Values of a chart's side and where they lie.
struct Axis {
  double low = 0, high = 1;   // values at its ends
  double begin = 0, end = 1;  // their places in the picture
  std::vector<double> ticks;

  double place(double value) const { return begin + (value - low) / (high - low) * (end - begin); }
};

// From `low` to `high` or a little beyond, with about `count` ticks at round values. Any finite values will do, equal
// ones too.
Axis round_axis(double low, double high, int count);

// "0.15", "1.2k", "3M", "2e-05": short, and different for different ticks of such an axis.
std::string tick_text(double value);

}  // namespace tritonrl::report
