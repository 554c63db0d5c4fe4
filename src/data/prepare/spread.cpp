#include "data/prepare/spread.h"

#include <algorithm>
#include <cmath>

namespace tritonrl::data {
namespace {

constexpr double kStep = 1.05;

}  // namespace

void Spread::add(std::int64_t value) {
  ++count_;
  sum_ += value;
  largest_ = std::max(largest_, value);
  ++steps_[value <= 0 ? -1 : static_cast<int>(std::lround(std::log(static_cast<double>(value)) / std::log(kStep)))];
}

double Spread::mean() const {
  return count_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(count_);
}

double Spread::quantile(double share) const {
  const auto wanted = static_cast<std::int64_t>(std::ceil(share * static_cast<double>(count_)));
  std::int64_t seen = 0;
  for (const auto& [step, count] : steps_) {
    seen += count;
    if (seen >= wanted) return step < 0 ? 0 : std::min(std::pow(kStep, step), static_cast<double>(largest_));
  }
  return 0;
}

Spread Spread::from(const State& state) {
  Spread out;
  out.count_ = state.count;
  out.sum_ = state.sum;
  out.largest_ = state.largest;
  out.steps_ = state.steps;
  return out;
}

}  // namespace tritonrl::data
