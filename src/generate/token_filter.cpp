#include "generate/token_filter.h"

#include <algorithm>
#include <limits>

#include "generate/row_scan.h"

namespace tritonrl::generate {
namespace {

constexpr float kNoEdge = -std::numeric_limits<float>::infinity();

// A token in its row; comes before another if it is likelier, or has the lower id.
struct Ranked {
  float score = 0;
  float weight = 0;
  std::int32_t token = 0;

  bool operator<(const Ranked& other) const { return score != other.score ? score > other.score : token < other.token; }
};

double mass_from(std::span<const float> scores, std::span<const float> weights, float edge) {
  if (edge == kNoEdge) return sum_of(weights);
  double mass = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) mass += scores[i] >= edge ? weights[i] : 0.0f;
  return mass;
}

// The last token, in the order of ranks, whose predecessors weigh less than `wanted`. Halves the candidates instead of
// sorting them.
Ranked last_within(std::vector<Ranked> candidates, double wanted) {
  constexpr std::ptrdiff_t kFew = 16;
  auto begin = candidates.begin(), end = candidates.end();
  double before = 0;  // weight of all that come before `begin`
  while (end - begin > kFew) {
    const auto middle = begin + (end - begin) / 2;
    std::nth_element(begin, middle, end);
    double mass = 0;
    for (auto it = begin; it != middle; ++it) mass += it->weight;
    if (before + mass < wanted) {
      before += mass;
      begin = middle;
    } else {
      end = middle;
    }
  }
  std::sort(begin, end);
  Ranked last = *begin;
  for (auto it = begin; it != end && before < wanted; ++it) {
    last = *it;
    before += it->weight;
  }
  return last;
}

}  // namespace

bool filters(const SamplingOptions& options) {
  return options.top_k > 0 || options.top_p < 1 || options.min_p > 0;
}

std::vector<std::int32_t> kept_tokens(std::span<const float> scores, std::span<const float> weights,
                                      const SamplingOptions& options) {
  const auto k = static_cast<std::size_t>(options.top_k);
  const float edge = k == 0 || k >= scores.size() ? kNoEdge : kth_largest(scores, k);
  const float least = options.min_p > 0 ? static_cast<float>(options.min_p) * largest_of(weights) : 0.0f;
  const bool cut = options.top_p < 1;
  const double mass = cut ? mass_from(scores, weights, edge) : 0;
  // All tokens this unlikely weigh together less than what top-p drops: they need no ranking.
  const auto dropped =
      cut ? static_cast<float>(0.999 * (1 - options.top_p) * mass / static_cast<double>(weights.size())) : -1.0f;

  std::vector<Ranked> candidates;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (scores[i] >= edge && weights[i] >= least && weights[i] > dropped)
      candidates.push_back({scores[i], weights[i], static_cast<std::int32_t>(i)});
  }
  if (candidates.empty()) return {};
  std::vector<std::int32_t> tokens;
  const Ranked last = cut ? last_within(candidates, options.top_p * mass) : Ranked{};
  for (const Ranked& candidate : candidates) {
    if (!cut || !(last < candidate)) tokens.push_back(candidate.token);
  }
  return tokens;
}

}  // namespace tritonrl::generate
