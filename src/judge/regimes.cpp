#include "judge/regimes.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <set>

#include "judge/elements.h"
#include "judge/mask_pattern.h"

namespace tritonrl::judge {
namespace {

using program::DType;
using runner::TensorData;
using Values = Manner::Values;

// The largest element, by level: beyond where exp, tanh and their like end; far from where anybody looks; and the
// largest for which exp is finite.
constexpr double kTens[] = {30, 5}, kThousands[] = {1e5, 1e3, 80};
constexpr double kTails[] = {1.5, 0.5};
constexpr double kThousandth = 1e-3, kNeedle = 100, kConstant = 1e-3;
constexpr double kNearEnd = 6;            // the power that brings a share near zero
constexpr double kLeavesNothing = 1e3;    // what is added to leave nothing of a score is less than minus this
constexpr std::size_t kFew = 16;          // elements: a temperature or a scale, which has a range of its own
constexpr std::size_t kNeedleEvery = 48;  // elements; one in each row at least
constexpr int kRuns = 3;
constexpr double kRunSizes[] = {1, 4, -2};

bool is_complex(DType dtype) {
  return dtype == DType::kComplex64 || dtype == DType::kComplex128;
}

std::size_t row_length(const TensorData& data) {
  const auto row = data.sizes.empty() ? 1 : static_cast<std::size_t>(std::max<std::int64_t>(1, data.sizes.back()));
  return is_complex(data.dtype) ? 2 * row : row;
}

// Near the largest of narrow types.
double largest_of(DType dtype) {
  if (dtype == DType::kFloat16 || dtype == DType::kFloat8E5M2 || dtype == DType::kFloat8E5M2FnUz) return 5e4;
  return dtype == DType::kFloat8E4M3Fn || dtype == DType::kFloat8E4M3FnUz ? 200 : kThousands[0];
}

// Sorted, or symmetric in its last two dimensions: a solution may build on that.
bool has_order(const TensorData& data, const Elements& elements) {
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
std::string changed_in_place(const TensorData& data, Change change) {
  std::size_t i = 0;
  return changed(data, [&](double value) {
    const std::size_t at = i++;
    return value == 0 || !std::isfinite(value) ? value : change(value, at);
  });
}

// Where the last entry of the first dimension begins: norms over several dimensions see it alone. One is none.
std::size_t last_entry(const TensorData& data) {
  const std::size_t count = Elements(data).count();
  const auto entries = static_cast<std::size_t>(data.sizes.empty() ? 1 : data.sizes.front());
  return entries > 1 ? count - count / entries : count;
}

// Zeros, and one number that leaves nothing of what it is added to.
std::optional<double> closed_of(const Elements& elements) {
  double closed = 0;
  for (std::size_t i = 0; i < elements.count(); ++i) {
    if (elements[i] == 0 || elements[i] == closed) continue;
    if (closed != 0 || !(elements[i] < -kLeavesNothing)) return std::nullopt;
    closed = elements[i];
  }
  return closed == 0 ? std::nullopt : std::optional(closed);
}

// Other places are closed, in no row all.
std::string redrawn_added_mask(const TensorData& data, double closed, bool careful, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::vector<bool> open = mask_pattern(data.sizes, Elements(data).count(), /*full_rows=*/true, random);
  std::size_t i = 0;
  return changed(data, [&](double value) { return open[i++] || (careful && value == 0) ? 0 : closed; });
}

// A mask with its values at other places; a constant with others about as large.
std::string redrawn_selector(const TensorData& data, bool careful, std::uint64_t seed) {
  const Elements elements(data);
  const double one = elements[0];
  double other = one;
  for (std::size_t i = 1; i < elements.count() && other == one; ++i) other = elements[i];
  if (!std::isfinite(one) || !std::isfinite(other)) return data.bytes;
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> share(0, 1);
  return changed(data, [&](double value) {
    const double drawn = share(random);
    if (one != other) return drawn < 0.5 ? (careful ? value : one) : other;
    return one == 0 ? drawn - 0.5 : one * (0.5 + drawn);
  });
}

// What lies between the least and the largest, pushed to both of them.
std::string towards_ends(const TensorData& data, std::uint64_t seed) {
  const Elements elements(data);
  double least = INFINITY, most = -INFINITY;
  for (std::size_t i = 0; i < elements.count(); ++i) {
    if (!std::isfinite(elements[i]) || elements[i] == 0) continue;
    least = std::min(least, elements[i]);
    most = std::max(most, elements[i]);
  }
  if (!(least < most)) return data.bytes;
  std::mt19937_64 random(seed);
  return changed_in_place(data, [&](double value, std::size_t) {
    const double share = (value - least) / (most - least);
    switch (random() % 3) {
      case 0:
        return least + (most - least) * std::pow(share, kNearEnd);
      case 1:
        return most - (most - least) * std::pow(1 - share, kNearEnd);
      default:
        return value;
    }
  });
}

std::string wide(const TensorData& data, int call, const Manner& manner, std::uint64_t seed) {
  const double centre = manner.own_sign ? 0 : centre_of(data);
  const auto level = static_cast<std::size_t>(manner.level);
  const Elements elements(data);
  double largest = 0;
  for (std::size_t i = 0; i < elements.count(); ++i) {
    if (std::isfinite(elements[i])) largest = std::max(largest, std::abs(elements[i] - centre));
  }
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0, kTails[call > 1 ? level : 0]);
  const double to = call > 1 ? 0 : std::min(largest_of(data.dtype), call == 0 ? kTens[level] : kThousands[level]);
  const double factor = largest > 0 ? to / largest : 1;
  const std::size_t small_from = last_entry(data);
  return changed_in_place(data, [&](double value, std::size_t i) {
    if (call > 1 && i >= small_from) return (value - centre) * kThousandth;  // what is added under a root shows
    return (value - centre) * (call <= 1 ? factor : std::exp(normal(random)));
  });
}

std::string uneven(const TensorData& data, int call, bool own_sign, std::uint64_t seed) {
  const double centre = own_sign ? 0 : centre_of(data);
  std::mt19937_64 random(seed);
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
    const std::size_t zeros_from = own_sign ? SIZE_MAX : last_entry(data);
    return changed_in_place(data, [&](double value, std::size_t i) {
      if (i >= zeros_from) return 0.0;
      if (i % row == 0) first = value;
      const std::size_t turn = i / row % 3;
      return turn == 0 ? value : turn == 1 || own_sign ? first + kConstant * (value - first) : 0;
    });
  }
  std::uniform_int_distribution<int> any(0, kRuns - 1);
  const auto turn = static_cast<std::size_t>(any(random));
  return changed_in_place(data, [&](double value, std::size_t i) {
    const std::size_t run = i % row * kRuns / row + i / row;  // other rows begin with another run
    const double size = kRunSizes[(run + turn) % kRuns];
    return value * (own_sign ? std::abs(size) : size);
  });
}

}  // namespace

bool is_regime(std::string_view variation) {
  return variation == "wide" || variation == "uneven";
}

bool is_selector(const TensorData& data) {
  const Elements elements(data);
  std::set<double> seen;
  for (std::size_t i = 0; i < elements.count() && seen.size() <= 2; ++i) seen.insert(elements[i]);
  return seen.size() <= 2 && elements.count() > 2;
}

double centre_of(const TensorData& data) {
  const Elements elements(data);
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < elements.count(); ++i) {
    if (elements[i] == 0 || !std::isfinite(elements[i])) continue;
    sum += elements[i];
    count += 1;
  }
  return count > 0 ? sum / count : 0;
}

std::vector<Manner> manners_of(std::string_view variation, int call) {
  std::vector<Manner> out;
  if (variation == "wide") {
    const std::size_t levels = call == 0 ? std::size(kTens) : call == 1 ? std::size(kThousands) : std::size(kTails);
    for (int level = 0; level < static_cast<int>(levels); ++level) {
      out.push_back({.level = level});
      out.push_back({.level = level, .own_sign = true});
    }
    out.push_back({.values = Values::kRange});
  } else {
    out = {{}, {.careful = true}, {.own_sign = true, .careful = true}, {.values = Values::kPlain, .careful = true}};
  }
  out.push_back({.values = Values::kOwn});
  return out;
}

std::string in_regime(const TensorData& data, std::string_view variation, int call, const Manner& manner,
                      std::uint64_t seed) {
  if (!has_fractions(data.dtype) || manner.values == Values::kOwn) return data.bytes;
  const Elements elements(data);
  if (variation == "uneven" && call > 0 && float_scalar(data.dtype)) {
    if (const auto closed = closed_of(elements)) return redrawn_added_mask(data, *closed, manner.careful, seed);
  }
  if (is_selector(data))
    return variation == "uneven" && call == 2 && float_scalar(data.dtype) ? redrawn_selector(data, manner.careful, seed)
                                                                          : data.bytes;
  if (manner.values == Values::kPlain || elements.count() < kFew || has_order(data, elements)) return data.bytes;
  if (manner.values == Values::kRange) return towards_ends(data, seed);
  return variation == "wide" ? wide(data, call, manner, seed) : uneven(data, call, manner.own_sign, seed);
}

}  // namespace tritonrl::judge
