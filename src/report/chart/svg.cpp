#include "report/chart/svg.h"

namespace tritonrl::report {

std::string chart_html(const Chart& chart) {
  return std::visit([](const auto& each) { return figure_of(each); }, chart);
}

}  // namespace tritonrl::report
