#include "bench/scatter_plot.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tritonrl::bench {
namespace {

constexpr double kSide = 420, kLeft = 64, kTop = 44, kBottom = 52, kRight = 20;
constexpr double kWidth = kLeft + kSide + kRight, kHeight = kTop + kSide + kBottom;

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else {
      out += c;
    }
  }
  return out;
}

std::string text_at(double x, double y, const std::string& anchor, const std::string& text,
                    const std::string& more = {}) {
  return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" text-anchor=\"" + anchor + "\"" + more + ">" +
         escaped(text) + "</text>\n";
}

std::string line(double x1, double y1, double x2, double y2, const std::string& style) {
  return "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) + "\" y2=\"" + number(y2) +
         "\" " + style + "/>\n";
}

// Powers of ten around all coordinates.
struct Range {
  int low = 0, high = 1;

  explicit Range(const Panel& panel) {
    double least = 1e300, most = 1e-300;
    for (const Series& series : panel.series) {
      for (const Point& point : series.points) {
        least = std::min({least, point.x, point.y});
        most = std::max({most, point.x, point.y});
      }
    }
    if (least > most) return;
    low = static_cast<int>(std::floor(std::log10(least)));
    high = std::max(low + 1, static_cast<int>(std::ceil(std::log10(most))));
  }

  double place(double value) const { return kSide * (std::log10(value) - low) / (high - low); }
};

std::string axes(const Panel& panel, const Range& range, double left) {
  const double bottom = kTop + kSide;
  std::string out = "<rect x=\"" + number(left) + "\" y=\"" + number(kTop) + "\" width=\"" + number(kSide) +
                    "\" height=\"" + number(kSide) + "\" fill=\"#fff\" stroke=\"#888\"/>\n";
  for (int power = range.low; power <= range.high; ++power) {
    const double at = range.place(std::pow(10.0, power));
    char tick[32];
    std::snprintf(tick, sizeof tick, "%g", std::pow(10.0, power));
    out += line(left + at, kTop, left + at, bottom, "stroke=\"#ddd\"");
    out += line(left, bottom - at, left + kSide, bottom - at, "stroke=\"#ddd\"");
    out += text_at(left + at, bottom + 16, "middle", tick);
    out += text_at(left - 6, bottom - at + 4, "end", tick);
  }
  out += line(left, bottom, left + kSide, kTop, "stroke=\"#444\" stroke-dasharray=\"5 4\"");
  out += text_at(left + kSide / 2, 24, "middle", panel.title, " font-size=\"15\"");
  out += text_at(left + kSide / 2, bottom + 38, "middle", panel.x_title);
  const std::string turn = " transform=\"rotate(-90 " + number(left - 46) + " " + number(kTop + kSide / 2) + ")\"";
  return out + text_at(left - 46, kTop + kSide / 2, "middle", panel.y_title, turn);
}

std::string panel_svg(const Panel& panel, double left) {
  const Range range(panel);
  std::string out = axes(panel, range, left);
  double legend = kTop + 18;
  for (const Series& series : panel.series) {
    out += "<g fill=\"" + series.colour + "\" fill-opacity=\"0.6\">\n";
    for (const Point& point : series.points) {
      out += "<circle cx=\"" + number(left + range.place(point.x)) + "\" cy=\"" +
             number(kTop + kSide - range.place(point.y)) + "\" r=\"3.2\"><title>" + escaped(point.label) +
             "</title></circle>\n";
    }
    out += "<circle cx=\"" + number(left + 14) + "\" cy=\"" + number(legend - 4) + "\" r=\"4\"/>\n</g>\n";
    out += text_at(left + 24, legend, "start", series.name);
    legend += 18;
  }
  return out;
}

}  // namespace

std::string scatter_plot(const std::vector<Panel>& panels) {
  const double width = kWidth * static_cast<double>(panels.size());
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + number(width) + "\" height=\"" +
                    number(kHeight) + "\" viewBox=\"0 0 " + number(width) + " " + number(kHeight) +
                    "\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n<rect width=\"100%\" "
                    "height=\"100%\" fill=\"#fff\"/>\n";
  for (std::size_t i = 0; i < panels.size(); ++i) out += panel_svg(panels[i], kLeft + kWidth * static_cast<double>(i));
  return out + "</svg>\n";
}

}  // namespace tritonrl::bench
