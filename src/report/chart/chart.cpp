#include "report/chart/chart.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace tritonrl::report {
namespace {

constexpr int kLowestBin = -12, kHighestBin = 13;  // 1/64 to 90 times; what lies beyond is counted at the ends

}  // namespace

std::vector<RatioBin> ratio_bins(const std::vector<double>& values) {
  std::map<int, int> counts;
  for (const double value : values) {
    if (!(value > 0)) continue;
    const double place = std::clamp<double>(std::floor(2 * std::log2(value)), kLowestBin, kHighestBin);
    ++counts[static_cast<int>(place)];
  }
  std::vector<RatioBin> out;
  if (counts.empty()) return out;
  for (int bin = counts.begin()->first; bin <= counts.rbegin()->first; ++bin) {
    const auto found = counts.find(bin);
    out.push_back({.low = std::exp2(bin / 2.0),
                   .high = std::exp2((bin + 1) / 2.0),
                   .count = found == counts.end() ? 0 : found->second});
  }
  return out;
}

bool draws_means(const LineChart& chart) {
  constexpr std::size_t kNoisy = 40;
  return chart.smooth && std::any_of(chart.curves.begin(), chart.curves.end(),
                                     [](const Curve& curve) { return curve.points.size() >= kNoisy; });
}

std::vector<Point> thinned(const std::vector<Point>& points, std::size_t most) {
  std::vector<Point> whole;
  std::copy_if(points.begin(), points.end(), std::back_inserter(whole),
               [](const Point& point) { return std::isfinite(point.first) && std::isfinite(point.second); });
  if (whole.size() <= most || most == 0) return whole;
  std::vector<Point> out;
  for (std::size_t i = 0; i < most; ++i) {
    const std::size_t begin = i * whole.size() / most, end = (i + 1) * whole.size() / most;
    Point sum{0, 0};
    for (std::size_t at = begin; at < end; ++at) sum = {sum.first + whole[at].first, sum.second + whole[at].second};
    const auto count = static_cast<double>(end - begin);
    out.emplace_back(sum.first / count, sum.second / count);
  }
  return out;
}

std::vector<Point> smoothed(const std::vector<Point>& points, std::size_t width) {
  std::vector<Point> out;
  const std::size_t last = points.size() - 1;
  for (std::size_t i = 0; i < points.size(); ++i) {
    // as many on both sides, so that slopes stay, but never so few that the ends are noise
    const std::size_t both = std::min({width / 2, i, last - i}), half = std::max(both, width / 6);
    const std::size_t begin = i - std::min(i, half), end = std::min(last, i + half);
    double sum = 0;
    for (std::size_t at = begin; at <= end; ++at) sum += points[at].second;
    out.emplace_back(points[i].first, sum / static_cast<double>(end - begin + 1));
  }
  return out;
}

}  // namespace tritonrl::report
