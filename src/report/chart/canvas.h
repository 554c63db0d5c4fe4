#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/chart/axis.h"
#include "report/chart/chart.h"

namespace tritonrl::report {

// One picture of 360 units width, in which text is as large as on the page around it on a phone and in columns.
class Canvas {
 public:
  static constexpr double kWidth = 360;
  static constexpr int kColours = 10;  // classes s0 to s9; further series begin again

  explicit Canvas(double height) : height_(height) {}

  void line(const char* kind, double x1, double y1, double x2, double y2);
  void box(const std::string& kind, double x, double y, double width, double height, std::string_view title = {});
  void dot(const std::string& kind, double x, double y, double radius, std::string_view title = {});
  void path(const std::string& kind, std::span<const Point> points, bool closed = false);
  // `anchor`: "start", "middle" or "end".
  void text(double x, double y, const char* anchor, std::string_view words, const char* kind = "label");
  // Where the numbers of an upright axis end, so that the longest is whole.
  static double left_of(const Axis& y, const char* unit);
  // Lines and numbers of both sides; `unit` stands behind the numbers of the upright one.
  void axes(const Axis& x, const Axis& y, std::string_view x_label, const char* unit);

  // With what it shows for those who cannot see it.
  std::string finish(std::string_view description) const;

 private:
  double height_;
  std::string out_;
};

std::string colour_class(std::size_t series);

// The frame around a picture: title, picture, legend (a name for each series, where there are several).
std::string framed(const std::string& title, const std::string& picture, const std::vector<Curve>& legend = {},
                   const std::string& mark = {});
// Of the curve at this place of a chart.
std::string colour_class(const Curve& curve, std::size_t place);

// "loss: 2.31 to 0.42": what curves say to those who hear the page.
std::string described(const std::string& title, const std::vector<Curve>& curves, bool percent);

}  // namespace tritonrl::report
