#include "report/chart/canvas.h"

#include <algorithm>
#include <cstdio>

#include "report/page/html_text.h"

namespace tritonrl::report {
namespace {

// A place in the picture: a tenth of a unit is finer than any screen.
std::string place(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.1f", value);
  return text;
}

std::string attribute(const char* name, double value) {
  return std::string(" ") + name + "=\"" + place(value) + "\"";
}

std::string closed_with_title(const char* element, std::string_view title) {
  if (title.empty()) return "/>";
  return "><title>" + html_text(title) + "</title></" + element + ">";
}

}  // namespace

void Canvas::line(const char* kind, double x1, double y1, double x2, double y2) {
  out_ += "<line class=\"" + std::string(kind) + "\"" + attribute("x1", x1) + attribute("y1", y1) +
          attribute("x2", x2) + attribute("y2", y2) + "/>";
}

void Canvas::box(const std::string& kind, double x, double y, double width, double height, std::string_view title) {
  out_ += "<rect class=\"" + kind + "\"" + attribute("x", x) + attribute("y", y) + attribute("width", width) +
          attribute("height", height) + closed_with_title("rect", title);
}

void Canvas::dot(const std::string& kind, double x, double y, double radius, std::string_view title) {
  out_ += "<circle class=\"" + kind + "\"" + attribute("cx", x) + attribute("cy", y) + attribute("r", radius) +
          closed_with_title("circle", title);
}

void Canvas::path(const std::string& kind, std::span<const Point> points, bool closed) {
  if (points.empty()) return;
  out_ += "<path class=\"" + kind + "\" d=\"";
  for (std::size_t i = 0; i < points.size(); ++i)
    out_ += (i == 0 ? "M" : "L") + place(points[i].first) + " " + place(points[i].second);
  out_ += closed ? "Z\"/>" : "\"/>";
}

void Canvas::text(double x, double y, const char* anchor, std::string_view words, const char* kind) {
  out_ += "<text class=\"" + std::string(kind) + "\"" + attribute("x", x) + attribute("y", y) + " text-anchor=\"" +
          anchor + "\">" + html_text(words) + "</text>";
}

double Canvas::left_of(const Axis& y, const char* unit) {
  constexpr double kDigit = 6.6, kLeast = 30;
  double widest = 0;
  for (const double tick : y.ticks)
    widest = std::max(widest, kDigit * static_cast<double>((tick_text(tick) + unit).size()));
  return std::max(kLeast, widest + 9);
}

void Canvas::axes(const Axis& x, const Axis& y, std::string_view x_label, const char* unit) {
  for (const double tick : y.ticks) {
    line("grid", x.begin, y.place(tick), x.end, y.place(tick));
    text(x.begin - 5, y.place(tick) + 4, "end", tick_text(tick) + unit);
  }
  for (const double tick : x.ticks) {
    line("tick", x.place(tick), y.begin, x.place(tick), y.begin + 4);
    text(x.place(tick), y.begin + 16, "middle", tick_text(tick));
  }
  line("axis", x.begin, y.begin, x.end, y.begin);
  text((x.begin + x.end) / 2, y.begin + 31, "middle", x_label);
}

std::string Canvas::finish(std::string_view description) const {
  return "<svg viewBox=\"0 0 " + place(kWidth) + " " + place(height_) + "\" role=\"img\" aria-label=\"" +
         html_text(description) + "\">" + out_ + "</svg>";
}

std::string colour_class(std::size_t series) {
  return "s" + std::to_string(series % Canvas::kColours);
}

std::string colour_class(const Curve& curve, std::size_t place) {
  return colour_class(curve.colour < 0 ? place : static_cast<std::size_t>(curve.colour));
}

std::string framed(const std::string& title, const std::string& picture, const std::vector<Curve>& legend,
                   const std::string& mark) {
  std::string out = "<figure><figcaption>" + html_text(title) + "</figcaption>" + picture;
  if (legend.size() > 1 || !mark.empty()) {
    out += "<ul class=\"legend\">";
    for (std::size_t i = 0; i < legend.size(); ++i)
      out += "<li><i class=\"" + colour_class(legend[i], i) + "\"></i>" + html_text(legend[i].name) + "</li>";
    if (!mark.empty()) out += "<li><i class=\"mark\"></i>" + html_text(mark) + "</li>";
    out += "</ul>";
  }
  return out + "</figure>\n";
}

std::string described(const std::string& title, const std::vector<Curve>& curves, bool percent) {
  std::string out = title;
  const auto value = [&](double y) { return tick_text(percent ? 100 * y : y) + (percent ? " %" : ""); };
  for (const Curve& curve : curves) {
    if (curve.points.empty()) continue;
    out += "; " + curve.name + ": " + value(curve.points.front().second) + " to " + value(curve.points.back().second);
  }
  return out;
}

}  // namespace tritonrl::report
