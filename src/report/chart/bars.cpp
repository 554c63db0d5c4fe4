#include <algorithm>
#include <cstdio>

#include "report/chart/canvas.h"
#include "report/chart/svg.h"
#include "report/page/html_text.h"

namespace tritonrl::report {

// Names and values are text of the page, so that they wrap on a phone; the bar between them stretches.
std::string figure_of(const BarChart& chart) {
  double whole = chart.whole;
  for (const BarChart::Bar& bar : chart.bars) whole = std::max(whole, bar.value);
  std::string rows = "<div class=\"bars\">";
  for (const BarChart::Bar& bar : chart.bars) {
    char width[32];
    std::snprintf(width, sizeof(width), "%.2f", whole > 0 ? std::max(0.0, 100 * bar.value / whole) : 0.0);
    rows += "<span class=\"name\">" + html_text(bar.name) +
            "</span><svg viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
            "<rect class=\"track\" width=\"100\" height=\"10\"/><rect class=\"" +
            (bar.good ? "good" : "bad") + "\" width=\"" + width + "\" height=\"10\"/></svg><span class=\"value\">" +
            html_text(bar.text) + "</span>";
  }
  return framed(chart.title, rows + "</div>");
}

}  // namespace tritonrl::report
