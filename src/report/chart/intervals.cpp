#include <algorithm>
#include <cstdio>

#include "report/chart/canvas.h"
#include "report/chart/svg.h"
#include "report/page/html_text.h"

namespace tritonrl::report {

// A name above each interval, so that long ones have the whole width.
std::string figure_of(const IntervalChart& chart) {
  if (chart.rows.empty()) return "";
  constexpr double kRow = 34;
  const double height = kRow * static_cast<double>(chart.rows.size()) + 28;
  Axis x = round_axis(0, 100, 5);
  x.begin = 10, x.end = Canvas::kWidth - 18;
  Canvas canvas(height);
  for (const double tick : x.ticks) {
    canvas.line("grid", x.place(tick), 4, x.place(tick), height - 24);
    canvas.text(x.place(tick), height - 8, "middle", tick_text(tick) + "%");
  }
  std::string spoken = chart.title;
  for (std::size_t i = 0; i < chart.rows.size(); ++i) {
    const IntervalChart::Row& row = chart.rows[i];
    const double y = kRow * static_cast<double>(i) + 26;
    char text[80];
    std::snprintf(text, sizeof(text), "%.1f %% (%.1f to %.1f)", 100 * row.value, 100 * row.low, 100 * row.high);
    canvas.text(x.begin, y - 9, "start", shortened(row.name, 30) + "  " + text, "label halo");
    canvas.line("whisker", x.place(100 * row.low), y, x.place(100 * row.high), y);
    canvas.line("whisker", x.place(100 * row.low), y - 4, x.place(100 * row.low), y + 4);
    canvas.line("whisker", x.place(100 * row.high), y - 4, x.place(100 * row.high), y + 4);
    canvas.dot("dot " + colour_class(i), x.place(100 * row.value), y, 4.5, row.name + ": " + text);
    spoken += "; " + row.name + " " + text;
  }
  return framed(chart.title, canvas.finish(spoken));
}

}  // namespace tritonrl::report
