#include "judge/measured_times.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tritonrl::judge {
namespace {

constexpr std::size_t kTrimmedPart = 10;  // one in ten at either end
constexpr double kInterval = 1.96;        // standard errors

}  // namespace

TrimmedTimes trimmed(std::vector<double> trials) {
  std::sort(trials.begin(), trials.end());
  const std::size_t cut = trials.size() / kTrimmedPart;
  TrimmedTimes out;
  double sum = 0, squares = 0;
  for (std::size_t i = cut; i < trials.size() - cut; ++i) {
    sum += trials[i];
    ++out.count;
  }
  if (out.count == 0) return out;
  out.mean = sum / out.count;
  for (std::size_t i = cut; i < trials.size() - cut; ++i) squares += (trials[i] - out.mean) * (trials[i] - out.mean);
  if (out.count > 1 && out.mean > 0) out.cv = std::sqrt(squares / (out.count - 1)) / out.mean;
  return out;
}

Speedup speedup_of(const std::vector<double>& reference, const std::vector<double>& candidate) {
  Speedup out;
  out.reference = trimmed(reference);
  out.candidate = trimmed(candidate);
  if (out.candidate.mean <= 0) return out;
  out.ratio = out.reference.mean / out.candidate.mean;
  const auto error = [](const TrimmedTimes& one) { return one.count > 0 ? one.cv * one.cv / one.count : 0; };
  const double width = kInterval * std::sqrt(error(out.reference) + error(out.candidate));
  out.low = out.ratio * (1 - width);
  out.high = out.ratio * (1 + width);
  return out;
}

}  // namespace tritonrl::judge
