#include "generate/row_scan.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

namespace tritonrl::generate {
namespace {

constexpr std::size_t kLanes = 16;  // results side by side: one alone waits for its own last operation

float larger(float a, float b) {
  return a > b ? a : b;
}

// The largest of every kLanes-th value of the first `whole` ones, beginning at each of the first kLanes.
void largest_by_lane(const float* values, std::size_t whole, float* lanes) {
  std::fill(lanes, lanes + kLanes, -std::numeric_limits<float>::infinity());
  for (std::size_t i = 0; i < whole; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] = larger(values[i + lane], lanes[lane]);
  }
}

float kth_of(std::vector<float>& values, std::size_t k) {
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(k - 1);
  std::nth_element(values.begin(), place, values.end(), std::greater<>());
  return *place;
}

}  // namespace

double sum_of(std::span<const float> values) {
  const std::size_t whole = values.size() / kLanes * kLanes;
  double lanes[kLanes] = {};
  for (std::size_t i = 0; i < whole; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += values[i + lane];
  }
  double sum = 0;
  for (const double lane : lanes) sum += lane;
  for (std::size_t i = whole; i < values.size(); ++i) sum += values[i];
  return sum;
}

float largest_of(std::span<const float> values) {
  const std::size_t whole = values.size() / kLanes * kLanes;
  float lanes[kLanes];
  largest_by_lane(values.data(), whole, lanes);
  float largest = *std::max_element(lanes, lanes + kLanes);
  for (std::size_t i = whole; i < values.size(); ++i) largest = larger(values[i], largest);
  return largest;
}

std::int64_t first_largest(std::span<const float> values) {
  const auto found = std::find(values.begin(), values.end(), largest_of(values));
  return found == values.end() ? 0 : found - values.begin();
}

float kth_largest(std::span<const float> values, std::size_t k) {
  // At least k values reach the k-th largest of any k or more that are largest in their groups; few others do.
  constexpr std::size_t kRows = 16;
  std::vector<float> best;
  const std::size_t group = kLanes * kRows;
  for (std::size_t i = 0; i + group <= values.size(); i += group) {
    best.resize(best.size() + kLanes);
    largest_by_lane(values.data() + i, group, best.data() + best.size() - kLanes);
  }
  const float bound = best.size() < k ? -std::numeric_limits<float>::infinity() : kth_of(best, k);
  std::vector<float> reach(values.size());
  std::size_t count = 0;
  for (const float value : values) {
    reach[count] = value;
    count += value >= bound;
  }
  reach.resize(count);
  return count < k ? bound : kth_of(reach, k);  // fewer only among NaN
}

}  // namespace tritonrl::generate
