#include "report/sections/number_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tritonrl::report {

std::string fixed_text(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof(text), std::abs(value) < 1e15 ? "%.*f" : "%.*e", digits, value);
  return text;
}

std::string short_text(double value) {
  char text[64];
  std::snprintf(text, sizeof(text), "%.4g", value);
  return text;
}

std::string percent_text(double share) {
  return fixed_text(100 * share, 1) + " %";
}

std::string count_text(std::int64_t value) {
  std::string out = std::to_string(value);
  const std::size_t first = value < 0 ? 1 : 0;
  for (std::size_t at = out.size(); at > first + 3; at -= 3) out.insert(at - 3, ",");
  return out;
}

std::string share_text(std::int64_t part, std::int64_t whole) {
  if (whole <= 0) return count_text(part);
  const double share = 100 * static_cast<double>(part) / static_cast<double>(whole);
  // what is not all and not nothing should not look so
  const int digits = share > 0 && share < 100 && (share < 1 || share > 99) ? 1 : 0;
  return count_text(part) + " (" + fixed_text(share, digits) + " %)";
}

std::string duration_text(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return "-";
  if (seconds < 60) return fixed_text(seconds, 1) + " s";
  const auto whole = static_cast<std::int64_t>(std::min(seconds, 1e15) + 0.5);
  if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  return count_text(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

std::string label_of(const std::string& metric) {
  if (metric.rfind("fast_", 0) == 0) return metric;  // KernelBench's own name
  std::string out = metric;
  std::replace(out.begin(), out.end(), '_', ' ');
  return out;
}

std::string or_dash(const std::optional<double>& value, std::string (*text)(double)) {
  return value ? text(*value) : "-";
}

}  // namespace tritonrl::report
