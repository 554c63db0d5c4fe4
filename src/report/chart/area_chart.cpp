#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "report/chart/canvas.h"
#include "report/chart/svg.h"

namespace tritonrl::report {
namespace {

constexpr double kAreaHeight = 206;

}  // namespace

std::string figure_of(const AreaChart& chart) {
  // shares of each place's own sum; a series that has no value there has none
  std::map<double, std::vector<double>> columns;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < chart.curves.size(); ++i) {
    names.push_back(chart.curves[i].name);
    for (const auto& [x, y] : thinned(chart.curves[i].points, 200)) {
      std::vector<double>& column = columns[x];
      column.resize(chart.curves.size());
      column[i] = std::max(0.0, y);
    }
  }
  for (auto at = columns.begin(); at != columns.end();) {
    const double sum = std::accumulate(at->second.begin(), at->second.end(), 0.0);
    for (double& value : at->second) value *= 100 / sum;
    at = sum > 0 && std::isfinite(sum) ? std::next(at) : columns.erase(at);
  }
  if (columns.size() < 2) return "";

  Axis y = round_axis(0, 100, 5);
  y.begin = kAreaHeight - 38, y.end = 8;
  Axis x = round_axis(columns.begin()->first, columns.rbegin()->first, 6);
  x.low = columns.begin()->first, x.high = columns.rbegin()->first;
  std::erase_if(x.ticks, [&](double tick) { return tick < x.low || tick > x.high || tick != std::floor(tick); });
  x.begin = 42, x.end = Canvas::kWidth - 12;

  Canvas canvas(kAreaHeight);
  std::vector<double> below(columns.size());
  for (std::size_t i = 0; i < chart.curves.size(); ++i) {
    std::vector<Point> lower, upper;
    std::size_t at = 0;
    for (const auto& [step, column] : columns) {
      lower.emplace_back(x.place(step), y.place(std::min(100.0, below[at])));
      below[at] += column[i];
      upper.emplace_back(x.place(step), y.place(std::min(100.0, below[at])));
      ++at;
    }
    upper.insert(upper.end(), lower.rbegin(), lower.rend());
    canvas.path("area " + colour_class(i), upper, /*closed=*/true);
  }
  canvas.axes(x, y, chart.x_label, "%");
  return framed(chart.title, canvas.finish(chart.title), names);
}

}  // namespace tritonrl::report
