#include "judge/regimes.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "judge/elements.h"

namespace tritonrl::judge {
namespace {

// The largest element: beyond where exp, tanh and their like end, and near the largest of the narrowest usual type.
constexpr double kTens = 30, kThousands = 6e4, kThousandth = 1e-3;
constexpr double kTails = 1.5, kNeedle = 100, kConstant = 1e-3;
constexpr std::size_t kFew = 16;          // elements: a temperature or a scale, which has a range of its own
constexpr std::size_t kNeedleEvery = 48;  // elements; one in each row at least
constexpr int kRuns = 3;
constexpr double kRunSizes[] = {1, 4, -2};

std::size_t row_length(const runner::TensorData& data) {
  return data.sizes.empty() ? 1 : static_cast<std::size_t>(std::max<std::int64_t>(1, data.sizes.back()));
}

// Sorted, or symmetric in its last two dimensions: a solution may build on that.
bool has_order(const runner::TensorData& data, const Elements& elements) {
  const std::size_t row = row_length(data);
  const std::size_t count = elements.count();
  bool sorted = row > 2;
  for (std::size_t i = 0; i + 1 < count && sorted; ++i) {
    if ((i + 1) % row != 0) sorted = elements[i] <= elements[i + 1];
  }
  if (sorted) return true;
  if (data.sizes.size() < 2 || data.sizes[data.sizes.size() - 2] != data.sizes.back() || row < 2) return false;
  for (std::size_t i = 0; i < row * row; ++i) {
    if (elements[i] != elements[(i % row) * row + i / row]) return false;
  }
  return true;
}

// Elements in order, each with its place.
template <class Change>
std::string changed_in_place(const runner::TensorData& data, Change change) {
  std::size_t i = 0;
  return changed(data, [&](double value) {
    const std::size_t at = i++;
    return value == 0 ? 0 : change(value, at);
  });
}

// Where the last entry of the first dimension begins: norms over several dimensions see it alone. One is none.
std::size_t last_entry(const runner::TensorData& data) {
  const std::size_t count = Elements(data).count();
  const auto entries = static_cast<std::size_t>(data.sizes.empty() ? 1 : data.sizes.front());
  return entries > 1 ? count - count / entries : count;
}

// A mask with its values at other places; a constant with others about as large.
std::string redrawn_selector(const runner::TensorData& data, std::uint64_t seed) {
  const Elements elements(data);
  const double one = elements[0];
  double other = one;
  for (std::size_t i = 1; i < elements.count() && other == one; ++i) other = elements[i];
  if (!std::isfinite(one) || !std::isfinite(other)) return data.bytes;
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> share(0, 1);
  return changed(data, [&](double) {
    const double drawn = share(random);
    if (one != other) return drawn < 0.5 ? one : other;
    return one == 0 ? drawn - 0.5 : one * (0.5 + drawn);
  });
}

}  // namespace

bool is_regime(std::string_view variation) {
  return variation == "wide" || variation == "uneven";
}

bool is_selector(const runner::TensorData& data) {
  const Elements elements(data);
  std::set<double> seen;
  for (std::size_t i = 0; i < elements.count() && seen.size() <= 2; ++i) seen.insert(elements[i]);
  return seen.size() <= 2 && elements.count() > 2;
}

double centre_of(const runner::TensorData& data) {
  const Elements elements(data);
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < elements.count(); ++i) {
    if (elements[i] == 0) continue;
    sum += elements[i];
    count += 1;
  }
  return count > 0 ? sum / count : 0;
}

std::string in_regime(const runner::TensorData& data, std::string_view variation, int call, std::uint64_t seed) {
  if (!float_scalar(data.dtype)) return data.bytes;
  if (is_selector(data)) return variation == "uneven" && call == 2 ? redrawn_selector(data, seed) : data.bytes;
  if (Elements(data).count() < kFew || has_order(data, Elements(data))) return data.bytes;
  const double centre = centre_of(data);
  std::mt19937_64 random(seed);
  if (variation == "wide") {
    const Elements elements(data);
    double largest = 0;
    for (std::size_t i = 0; i < elements.count(); ++i) {
      if (std::isfinite(elements[i])) largest = std::max(largest, std::abs(elements[i] - centre));
    }
    const double factor = largest > 0 ? (call == 0 ? kTens : kThousands) / largest : 1;
    std::normal_distribution<double> normal(0, kTails);
    const std::size_t small_from = last_entry(data);
    return changed_in_place(data, [&](double value, std::size_t i) {
      if (call > 1 && i >= small_from) return (value - centre) * kThousandth;  // what is added under a root shows
      return (value - centre) * (call <= 1 ? factor : std::exp(normal(random)));
    });
  }
  const std::size_t row = row_length(data);
  if (call == 0) {
    std::uniform_int_distribution<std::size_t> place(0, std::max<std::size_t>(1, std::min(row, kNeedleEvery)) - 1);
    std::size_t needle = place(random), begin = 0;
    return changed_in_place(data, [&](double value, std::size_t i) {
      const std::size_t within = std::min(row, kNeedleEvery);
      if (i / within != begin) {
        begin = i / within;
        needle = place(random);
      }
      return i % within == needle ? kNeedle * (value - centre) : value;
    });
  }
  if (call == 1) {  // rows in turn: as it was; nearly its first element, since equal ones have no largest; zero
    double first = 0;
    const std::size_t zeros_from = last_entry(data);
    return changed_in_place(data, [&](double value, std::size_t i) {
      if (i >= zeros_from) return 0.0;
      if (i % row == 0) first = value;
      const std::size_t turn = i / row % 3;
      return turn == 0 ? value : turn == 1 ? first + kConstant * (value - first) : 0;
    });
  }
  std::uniform_int_distribution<int> any(0, kRuns - 1);
  const auto turn = static_cast<std::size_t>(any(random));
  return changed_in_place(data, [&](double value, std::size_t i) {
    const std::size_t run = i % row * kRuns / row + i / row;  // other rows begin with another run
    return value * kRunSizes[(run + turn) % kRuns];
  });
}

}  // namespace tritonrl::judge
