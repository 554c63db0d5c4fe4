#include <algorithm>
#include <cmath>

#include "report/chart/canvas.h"
#include "report/chart/svg.h"

namespace tritonrl::report {
namespace {

constexpr double kLineHeight = 206;
constexpr std::size_t kMostPoints = 400, kFewPoints = 16;

}  // namespace

std::string figure_of(const LineChart& chart) {
  std::vector<Curve> curves;
  double low = INFINITY, high = -INFINITY, first = INFINITY, last = -INFINITY;
  for (const Curve& curve : chart.curves) {
    Curve drawn{.name = curve.name, .points = thinned(curve.points, kMostPoints), .colour = curve.colour};
    for (const auto& [x, y] : drawn.points) {
      low = std::min(low, y), high = std::max(high, y);
      first = std::min(first, x), last = std::max(last, x);
    }
    curves.push_back(std::move(drawn));
  }
  if (first > last) return "";
  if (chart.mark && !chart.percent) low = std::min(low, *chart.mark), high = std::max(high, *chart.mark);

  const double scale = chart.percent ? 100 : 1;
  Axis y = chart.percent ? round_axis(0, 100, 5) : round_axis(low, high, 5);
  y.begin = kLineHeight - 38, y.end = 8;
  Axis x = round_axis(first, last, 6);
  x.low = first, x.high = first == last ? first + 1 : last;
  std::erase_if(x.ticks, [&](double tick) { return tick < x.low || tick > x.high || tick != std::floor(tick); });
  if (x.ticks.empty()) x.ticks = {first};
  x.begin = Canvas::left_of(y, chart.percent ? "%" : ""), x.end = Canvas::kWidth - 12;

  Canvas canvas(kLineHeight);
  canvas.axes(x, y, chart.x_label, chart.percent ? "%" : "");
  if (chart.mark) canvas.line("mark", x.begin, y.place(scale * *chart.mark), x.end, y.place(scale * *chart.mark));
  for (std::size_t i = 0; i < curves.size(); ++i) {
    std::vector<Point> points = curves[i].points;
    for (Point& point : points) point = {x.place(point.first), y.place(scale * point.second)};
    if (draws_means(chart)) {
      canvas.path("faint " + colour_class(curves[i], i), points);
      points = smoothed(points, points.size() / 12);
    }
    canvas.path("curve " + colour_class(curves[i], i), points);
    if (points.size() > kFewPoints) continue;
    for (std::size_t at = 0; at < points.size(); ++at) {
      const Point& value = curves[i].points[at];
      canvas.dot("dot " + colour_class(curves[i], i), points[at].first, points[at].second, 2.6,
                 curves[i].name + ", " + chart.x_label + " " + tick_text(value.first) + ": " +
                     tick_text(scale * value.second) + (chart.percent ? " %" : ""));
    }
  }
  return framed(chart.title, canvas.finish(described(chart.title, curves, chart.percent)), curves, chart.mark_name);
}

}  // namespace tritonrl::report
