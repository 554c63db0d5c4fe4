#pragma once

#include <string>

#include "report/chart/chart.h"

namespace tritonrl::report {

// A chart as a <figure> of HTML with inline SVG: no script, no file beside it, colours by the classes of
// page/style.css, so that it follows light and dark. Text in it is escaped.
std::string chart_html(const Chart& chart);

std::string figure_of(const LineChart& chart);
std::string figure_of(const AreaChart& chart);
std::string figure_of(const BarChart& chart);
std::string figure_of(const RatioHistogram& chart);
std::string figure_of(const IntervalChart& chart);

}  // namespace tritonrl::report
