#include <algorithm>
#include <cmath>

#include "report/chart/canvas.h"
#include "report/chart/svg.h"

namespace tritonrl::report {
namespace {

constexpr double kHistogramHeight = 206;

}  // namespace

std::string figure_of(const RatioHistogram& chart) {
  const std::vector<RatioBin> bins = ratio_bins(chart.values);
  if (bins.empty()) return "";
  int most = 1;
  for (const RatioBin& bin : bins) most = std::max(most, bin.count);
  Axis y = round_axis(0, most, 5);
  y.begin = kHistogramHeight - 38, y.end = 8;
  std::erase_if(y.ticks, [](double tick) { return tick != static_cast<int>(tick); });
  const double left = Canvas::left_of(y, ""),
               width = std::min(44.0, (Canvas::kWidth - 12 - left) / static_cast<double>(bins.size()));
  Axis x;  // the places of bins; their ends are labelled by value
  x.begin = left, x.end = Canvas::kWidth - 12;

  Canvas canvas(kHistogramHeight);
  canvas.axes(x, y, chart.x_label, "");
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const RatioBin& bin = bins[i];
    const double at = left + static_cast<double>(i) * width;
    const std::string range =
        tick_text(bin.low) + " to " + tick_text(bin.high) + " times: " + std::to_string(bin.count);
    canvas.box(bin.low >= 0.999 ? "good" : "bad", at + 1, y.place(bin.count), width - 2, y.begin - y.place(bin.count),
               range);
    // bins are half a power of two wide; whole powers are named, where many bins are side by side every second one
    const double power = std::log2(bin.low);
    const bool whole = std::abs(power - std::round(power)) < 1e-6;
    if (whole && (bins.size() <= 14 || static_cast<int>(std::round(power)) % 2 == 0))
      canvas.text(at, y.begin + 16, "middle", tick_text(bin.low));
  }
  return framed(chart.title, canvas.finish(chart.title + ": " + std::to_string(chart.values.size()) + " values"));
}

}  // namespace tritonrl::report
