#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "report/chart/canvas.h"
#include "report/chart/svg.h"

namespace tritonrl::report {
namespace {

constexpr double kAreaHeight = 206;
constexpr std::size_t kMostColumns = 120;

// Values of all curves by place; those that have none there are 0. Of many places neighbours are one.
std::map<double, std::vector<double>> columns_of(const std::vector<Curve>& curves) {
  std::map<double, std::vector<double>> all;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    for (const auto& [x, y] : curves[i].points) {
      std::vector<double>& column = all.try_emplace(x, curves.size()).first->second;
      if (std::isfinite(y)) column[i] = std::max(0.0, y);
    }
  }
  const std::size_t width = (all.size() + kMostColumns - 1) / kMostColumns;
  std::map<double, std::vector<double>> out;
  std::size_t at = 0;
  std::vector<double>* sum = nullptr;
  for (const auto& [x, column] : all) {
    if (at++ % width == 0) sum = &out.try_emplace(x, curves.size()).first->second;
    for (std::size_t i = 0; i < column.size(); ++i) (*sum)[i] += column[i];
  }
  return out;
}

}  // namespace

std::string figure_of(const AreaChart& chart) {
  std::map<double, std::vector<double>> columns = columns_of(chart.curves);
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
  x.begin = Canvas::left_of(y, "%"), x.end = Canvas::kWidth - 12;

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
    canvas.path("area " + colour_class(chart.curves[i], i), upper, /*closed=*/true);
  }
  canvas.axes(x, y, chart.x_label, "%");
  return framed(chart.title, canvas.finish(chart.title), chart.curves);
}

}  // namespace tritonrl::report
