#include "judge/size_search.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

namespace tritonrl::judge {
namespace {

constexpr std::int64_t kSmallest = 5;        // constants below are kernel sizes, strides, dimensions: left alone
constexpr std::int64_t kMostBecomeTwo = 16;  // batches and layers of a network that is too large in all else
constexpr std::size_t kLikelySmall = 3;      // the first of what is tried at once
constexpr double kDearFactor = 8;            // beyond so many limits a size is computed as seldom as can be
constexpr double kLargerFactor = 80;         // what a larger size may cost, in multiples of a small one's limits

// Of sizes that are fitted to blocks.
constexpr std::size_t kMostFitted = 6;         // constants
constexpr std::size_t kFittedRounds = 3;       // other multiples each
constexpr std::size_t kMostAllFit = 6;         // sizes at which all blocks fit: dear ones are left out
constexpr std::int64_t kMultiples = 3;         // 1 to 3 times a block
constexpr int kDraws = 16;                     // of one of them
constexpr std::int64_t kFewFreeRows = 8;       // and of what goes without
constexpr std::int64_t kMostCommon = 1 << 16;  // of all blocks

std::int64_t smallest_factor(std::int64_t value) {
  for (std::int64_t p = 2; p * p <= value; ++p) {
    if (value % p == 0) return p;
  }
  return value;
}

class Search {
 public:
  Search(std::vector<SizeConstant> constants, const SizeProbe& probe, const SizeLimits& limits)
      : probe_(probe), limits_(limits) {
    std::sort(constants.begin(), constants.end());
    constants.erase(std::unique(constants.begin(), constants.end()), constants.end());
    std::erase_if(constants, [](const SizeConstant& one) { return one.value < kSmallest; });
    constants_ = std::move(constants);
  }

  TaskSizes run() {
    TaskSizes out;
    out.small = small(&out.dear);
    if (!out.small || out.dear) return out;
    out.tiny = tiny(*out.small);
    out.odd = odd(*out.small);
    return out;
  }

  std::vector<Resizing> larger(const Resizing& small) const;
  std::vector<Resizing> fitted(const std::vector<std::int64_t>& blocks, std::uint64_t secret) const;

  std::optional<Resizing> lighter(const Resizing& small) const {
    return first_within({shrink_all(16), shrink_all(12), shrink_all(8)}, limits_, small);
  }

 private:
  struct Tried {
    Resizing resizing;
    std::optional<SizeCost> cost;
  };

  // Each is asked about once: it is a recording.
  std::vector<Tried> tried(const std::vector<Resizing>& resizings) const {
    std::vector<Resizing> unknown;
    for (const Resizing& one : resizings) {
      if (!known_.contains(one) && std::find(unknown.begin(), unknown.end(), one) == unknown.end())
        unknown.push_back(one);
    }
    if (!unknown.empty()) {
      const std::vector<std::optional<SizeCost>> costs = probe_(unknown);
      for (std::size_t i = 0; i < unknown.size(); ++i) known_[unknown[i]] = costs[i];
    }
    std::vector<Tried> out;
    for (const Resizing& one : resizings) out.push_back({one, known_.at(one)});
    return out;
  }

  // The first that the reference accepts within the limits; a few at a time, since the first ones mostly do.
  std::optional<Resizing> first_within(const std::vector<Resizing>& proposals, const SizeLimits& limits,
                                       const Resizing& not_this) const {
    constexpr std::size_t kAtOnce = 3;
    for (std::size_t begin = 0; begin < proposals.size(); begin += kAtOnce) {
      const std::size_t end = std::min(proposals.size(), begin + kAtOnce);
      const std::vector<Resizing> some(proposals.begin() + static_cast<std::ptrdiff_t>(begin),
                                       proposals.begin() + static_cast<std::ptrdiff_t>(end));
      for (const Tried& one : tried(some)) {
        if (one.cost && limits.allow(*one.cost) && one.resizing != not_this) return one.resizing;
      }
    }
    return std::nullopt;
  }

  // Distinct values stay distinct where that is possible: a kernel that confuses two sizes must show.
  Resizing shrink_all(std::int64_t most) const {
    Resizing out;
    std::set<std::int64_t> used;
    std::map<std::int64_t, std::int64_t> by_value;
    for (const SizeConstant& one : constants_) {
      if (one.value <= most) used.insert(one.value);
    }
    for (const SizeConstant& one : constants_) {
      if (one.value <= most) continue;
      const auto [known, fresh] = by_value.try_emplace(one.value, shrunk(one.value, most));
      for (const std::int64_t factor : {1, 2, 3, 4}) {
        const std::int64_t candidate = shrunk(one.value, most) * factor;
        if (!fresh || candidate > one.value || used.contains(candidate)) continue;
        known->second = candidate;
        break;
      }
      used.insert(known->second);
      out[one] = known->second;
    }
    return out;
  }

  std::optional<Resizing> small(bool* dear) const {
    // with the likely sizes of `tiny`, which are then known: recordings of one round are made side by side
    const std::vector<Tried> likely = tried({{}, shrink_all(64), shrink_all(32), shrink_all(4), shrink_all(3)});
    if (!likely.front().cost) return std::nullopt;
    for (std::size_t i = 0; i < kLikelySmall; ++i) {
      if (likely[i].cost && limits_.allow(*likely[i].cost)) return likely[i].resizing;
    }
    std::vector<Resizing> proposals;
    for (const std::int64_t most : {16, 8, 48, 24, 12, 6}) proposals.push_back(shrink_all(most));
    if (auto found = first_within(proposals, limits_, {})) return found;
    return one_by_one(dear);
  }

  // Each constant alone, as far down as the reference follows; then all that it followed together.
  std::optional<Resizing> one_by_one(bool* dear) const {
    Resizing chosen;
    for (int round = 0; round < 2; ++round) {
      for (auto one = constants_.rbegin(); one != constants_.rend(); ++one) {
        std::vector<Resizing> proposals;
        std::set<std::int64_t> seen;
        for (const std::int64_t most : {2, 6, 8, 12, 16, 24, 32, 64, 128, 256}) {
          if (most == 2 && one->value > kMostBecomeTwo) continue;
          const std::int64_t to = most == 2 ? most : shrunk(one->value, most);
          if (to >= (chosen.contains(*one) ? chosen.at(*one) : one->value) || !seen.insert(to).second) continue;
          for (const bool together : {true, false}) {
            Resizing next = chosen;
            for (const SizeConstant& other : constants_) {
              if (together ? other.value == one->value : other == *one) next[other] = to;
            }
            if (proposals.empty() || proposals.back() != next) proposals.push_back(std::move(next));
          }
        }
        for (const Tried& step : tried(proposals)) {
          if (!step.cost) continue;
          chosen = step.resizing;
          break;
        }
      }
      const std::vector<Tried> now = tried({chosen});
      if (now.front().cost && limits_.allow(*now.front().cost)) return chosen;
    }
    SizeLimits wide = times(kLargerFactor);  // a large network at its smallest
    wide.bytes *= 8;
    const std::vector<Tried> last = tried({chosen});
    if (!last.front().cost || !wide.allow(*last.front().cost)) return std::nullopt;
    *dear = !times(kDearFactor).allow(*last.front().cost);
    return chosen;
  }

  // Those that the reference accepts, if they can be computed at all.
  std::vector<Resizing> cheapest_first(const std::vector<Resizing>& proposals) const;

  SizeLimits times(double factor) const {
    SizeLimits out = limits_;
    for (double* limit : {&out.bytes, &out.matrix_ops, &out.scalar_ops}) *limit *= factor;
    return out;
  }

  std::optional<Resizing> tiny(const Resizing& small) const {
    std::vector<Resizing> proposals;
    for (const std::int64_t most : {4, 3, 6, 8, 12, 16}) proposals.push_back(shrink_all(most));
    if (auto found = first_within(proposals, limits_, small)) return found;
    return small;
  }

  static std::int64_t now(const Resizing& resizing, const SizeConstant& one) {
    const auto found = resizing.find(one);
    return found == resizing.end() ? one.value : found->second;
  }

  // Every constant of six or more changed; `apart`: equal ones of different names differently.
  template <class Change>
  Resizing all_changed(const Resizing& small, bool apart, Change change) const {
    Resizing out = small;
    std::map<std::string, std::int64_t> turns;
    for (const SizeConstant& one : constants_) {
      const std::int64_t value = now(small, one);
      if (value < 6) continue;
      const std::string key = apart ? std::to_string(value) + one.name : std::to_string(value);
      const std::int64_t turn = turns.try_emplace(key, static_cast<std::int64_t>(turns.size())).first->second;
      out[one] = change(value, turn);
    }
    return out;
  }

  std::optional<Resizing> odd(const Resizing& small) const {
    const auto up = [](std::int64_t value, std::int64_t turn) { return value + 1 + 2 * (turn % 4) - (value % 2); };
    const auto down = [](std::int64_t value, std::int64_t turn) { return value - 1 - 2 * (turn % 2) + (value % 2); };
    const std::vector<Resizing> proposals = {
        all_changed(small, true, up),
        all_changed(small, false, up),
        all_changed(small, false, down),
        all_changed(small, false,
                    [](std::int64_t value, std::int64_t) { return value % 2 == 0 ? value / 2 * 3 : value + 2; }),
        all_changed(small, false,
                    [](std::int64_t value, std::int64_t) { return value % 4 == 0 ? value / 4 * 3 : value; }),
    };
    const SizeLimits wide = times(4);
    if (auto found = first_within(proposals, wide, small)) return found;
    // one constant after the other, as many as the reference accepts
    Resizing chosen = small;
    for (auto one = constants_.rbegin(); one != constants_.rend(); ++one) {
      const std::int64_t value = now(small, *one);
      if (value < 6) continue;
      std::vector<Resizing> steps;
      for (const std::int64_t to : {value + 1, value + 3, value - 1, value / 2 * 3, value * 2}) {
        steps.push_back(chosen);
        steps.back()[*one] = to;
      }
      for (const Tried& step : tried(steps)) {
        if (!step.cost || !wide.allow(*step.cost)) continue;
        chosen = step.resizing;
        break;
      }
    }
    return chosen == small ? std::nullopt : std::optional(chosen);
  }

  const SizeProbe& probe_;
  SizeLimits limits_;
  std::vector<SizeConstant> constants_;  // ascending, distinct
  mutable std::map<Resizing, std::optional<SizeCost>> known_;
};

std::vector<Resizing> Search::larger(const Resizing& small) const {
  std::vector<Resizing> proposals;
  const auto add = [&](Resizing one) {
    if (one != small && std::find(proposals.begin(), proposals.end(), one) == proposals.end())
      proposals.push_back(std::move(one));
  };
  for (auto one = constants_.rbegin(); one != constants_.rend(); ++one) {
    if (!small.contains(*one)) continue;
    for (const std::int64_t others : {0, 8, 4}) {  // 0: as they are in `small`
      for (const bool together : {false, true}) {
        Resizing next = others == 0 ? small : shrink_all(others);
        std::erase_if(
            next, [&](const auto& entry) { return together ? entry.first.value == one->value : entry.first == *one; });
        add(std::move(next));
      }
    }
  }
  for (const auto& one : small) add({one});  // all others large: what follows from two of them shows
  for (const std::int64_t most : {1024, 512, 256, 128}) add(shrink_all(most));
  add({});
  return cheapest_first(proposals);
}

std::vector<Resizing> Search::cheapest_first(const std::vector<Resizing>& proposals) const {
  SizeLimits wide = times(kLargerFactor);
  wide.bytes *= 2;
  std::vector<std::pair<double, Resizing>> kept;
  for (const Tried& one : tried(proposals)) {
    if (!one.cost || !wide.allow(*one.cost)) continue;
    kept.emplace_back(one.cost->bytes + one.cost->matrix_ops / 8 + one.cost->scalar_ops, one.resizing);
  }
  std::stable_sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Resizing> out;
  for (auto& [cost, resizing] : kept) out.push_back(std::move(resizing));
  return out;
}

// Every constant a multiple of what it has in common with the blocks; the same with one of them, or all but one, small
// instead: a row may be one block, and rows as many as one likes. By turns, since nobody knows which of them matter.
std::vector<Resizing> Search::fitted(const std::vector<std::int64_t>& blocks, std::uint64_t secret) const {
  std::mt19937_64 random(secret);
  std::int64_t common = 1;
  for (const std::int64_t block : blocks) common = std::min(kMostCommon, std::lcm(common, block));
  std::set<SizeConstant> large;  // the others are small already
  for (auto one = constants_.rbegin(); one != constants_.rend() && large.size() < kMostFitted; ++one) {
    if (one->value > kFewFreeRows) large.insert(*one);
  }
  const auto propose = [&](const std::set<SizeConstant>& small, std::vector<Resizing>& proposals) {
    Resizing next;
    std::map<std::int64_t, std::int64_t> by_value;  // equal ones stay equal, as far as they are of one kind
    for (const SizeConstant& one : large) {
      const std::int64_t fits = std::gcd(one.value, common);
      const bool free = fits == 1 || small.contains(one);
      const std::int64_t step = free ? 1 : fits, count = free ? kFewFreeRows : kMultiples;
      std::int64_t to = free ? kSmallest : step;
      for (int i = 0; i < kDraws; ++i) {
        const std::int64_t drawn = to + step * static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(count));
        // blocks must not fit better than they do at the real sizes
        if (drawn > one.value || fits % std::gcd(drawn, common) != 0) continue;
        to = drawn;
        break;
      }
      next[one] = free ? to : by_value.try_emplace(one.value, to).first->second;
    }
    if (std::find(proposals.begin(), proposals.end(), next) == proposals.end()) proposals.push_back(std::move(next));
  };
  // chance may propose the same twice
  const auto propose_several = [&](const std::set<SizeConstant>& small, std::size_t count, std::vector<Resizing>& to) {
    const std::size_t wanted = to.size() + count;
    for (int i = 0; i < kDraws && to.size() < wanted; ++i) propose(small, to);
  };
  std::vector<Resizing> one_fits, all_but_one_fit, all_fit;
  propose_several({}, kMostAllFit, all_fit);
  for (const SizeConstant& one : large) {
    std::set<SizeConstant> others = large;
    others.erase(one);
    propose_several({one}, kFittedRounds, all_but_one_fit);
    propose_several(others, kFittedRounds, one_fits);
  }
  std::vector<Resizing> out;
  std::vector<std::vector<Resizing>> turns;
  for (const auto* some : {&one_fits, &all_but_one_fit, &all_fit}) turns.push_back(cheapest_first(*some));
  for (std::size_t i = 0; std::any_of(turns.begin(), turns.end(), [&](const auto& one) { return i < one.size(); });
       ++i) {
    for (const std::vector<Resizing>& one : turns) {
      if (i < one.size() && std::find(out.begin(), out.end(), one[i]) == out.end()) out.push_back(one[i]);
    }
  }
  return out;
}

}  // namespace

std::int64_t shrunk(std::int64_t value, std::int64_t most) {
  while (value > most) {
    const std::int64_t factor = smallest_factor(value);
    if (value / factor < 2) return most;
    value /= factor;
  }
  return value;
}

TaskSizes search_sizes(std::vector<SizeConstant> constants, const SizeProbe& probe, const SizeLimits& limits) {
  return Search(std::move(constants), probe, limits).run();
}

std::vector<Resizing> search_fitted(std::vector<SizeConstant> constants, const std::vector<std::int64_t>& blocks,
                                    std::uint64_t secret, const SizeProbe& probe, const SizeLimits& limits) {
  return Search(std::move(constants), probe, limits).fitted(blocks, secret);
}

std::optional<Resizing> search_lighter(std::vector<SizeConstant> constants, const Resizing& small,
                                       const SizeProbe& probe, const SizeLimits& limits) {
  return Search(std::move(constants), probe, limits).lighter(small);
}

std::vector<Resizing> search_larger(std::vector<SizeConstant> constants, const Resizing& small, const SizeProbe& probe,
                                    const SizeLimits& limits) {
  return Search(std::move(constants), probe, limits).larger(small);
}

}  // namespace tritonrl::judge
