#include "data/prepare/spread.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/fields.h"

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

void Spread::fields(base::FieldVisitor& field) {
  double average = mean(), median = quantile(0.5), p95 = quantile(0.95);
  std::vector<std::array<std::int64_t, 2>> steps;
  for (const auto& [step, count] : steps_) steps.push_back({step, count});
  field("count", count_);
  field("sum", sum_);
  field("mean", average);
  TRL_FIELDS(field, median, p95);
  field("largest", largest_);
  field("steps", steps);
  if (field.writes()) return;
  steps_.clear();
  for (const auto& [step, count] : steps) steps_[static_cast<int>(step)] = count;
}

}  // namespace tritonrl::data
