#include "base/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/check.h"

namespace tritonrl::base {
namespace {

constexpr double kNormal95 = 1.959963984540054;  // 97.5 % of a normal distribution lie below

}  // namespace

Interval wilson_interval(double successes, std::int64_t trials) {
  TRL_CHECK(trials >= 0 && successes >= 0 && successes <= static_cast<double>(trials), "a rate between 0 and 1");
  if (trials == 0) return {};
  const auto n = static_cast<double>(trials);
  const double rate = successes / n, z2 = kNormal95 * kNormal95;
  const double centre = (rate + z2 / (2 * n)) / (1 + z2 / n);
  const double half = kNormal95 / (1 + z2 / n) * std::sqrt(rate * (1 - rate) / n + z2 / (4 * n * n));
  // at both ends the exact bound is 0 or 1; rounding must not go beyond
  return {.low = successes == 0 ? 0 : std::max(0.0, centre - half),
          .high = successes == n ? 1 : std::min(1.0, centre + half)};
}

double pass_at_k(int samples, int correct, int k) {
  TRL_CHECK(k >= 1 && k <= samples && correct >= 0 && correct <= samples, "pass@k of fewer than k samples");
  double all_wrong = 1;
  for (int i = samples - correct + 1; i <= samples; ++i) all_wrong *= 1 - static_cast<double>(k) / i;
  return samples - correct < k ? 1 : 1 - all_wrong;
}

double mcnemar_exact(std::int64_t only_first, std::int64_t only_second) {
  const std::int64_t n = only_first + only_second, fewer = std::min(only_first, only_second);
  if (n == 0) return 1;
  const auto log_factorial = [](std::int64_t value) { return std::lgamma(static_cast<double>(value) + 1); };
  double tail = 0;
  for (std::int64_t i = 0; i <= fewer; ++i) {
    tail +=
        std::exp(log_factorial(n) - log_factorial(i) - log_factorial(n - i) - static_cast<double>(n) * std::log(2.0));
  }
  return std::min(1.0, 2 * tail);
}

double geometric_mean(std::span<const double> values) {
  TRL_CHECK(!values.empty(), "the mean of nothing");
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

double mean(std::span<const double> values) {
  TRL_CHECK(!values.empty(), "the mean of nothing");
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double median(std::vector<double> values) {
  TRL_CHECK(!values.empty(), "the median of nothing");
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace tritonrl::base
