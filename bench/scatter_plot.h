#pragma once

#include <string>
#include <vector>

namespace tritonrl::bench {

struct Point {
  double x = 0, y = 0;
  std::string label;  // shown when pointed at
};

struct Series {
  std::string name;
  std::string colour;  // "#2a6fb0"
  std::vector<Point> points;
};

// One square with logarithmic axes of the same range and the diagonal, where both agree.
struct Panel {
  std::string title, x_title, y_title;
  std::vector<Series> series;
};

// SVG, panels side by side.
std::string scatter_plot(const std::vector<Panel>& panels);

}  // namespace tritonrl::bench
