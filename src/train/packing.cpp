#include "train/packing.h"

#include <algorithm>
#include <numeric>

namespace tritonrl::train {

std::vector<int> best_fit(std::span<const std::int64_t> lengths, std::size_t waiting, int bins, std::int64_t capacity) {
  std::vector<std::size_t> order(lengths.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if ((a < waiting) != (b < waiting)) return a < waiting;
    return lengths[a] > lengths[b];
  });
  std::vector<std::int64_t> room(static_cast<std::size_t>(bins), capacity);
  std::vector<int> bin_of(lengths.size(), -1);
  for (const std::size_t item : order) {
    int best = -1;
    for (int bin = 0; bin < bins; ++bin) {
      const std::int64_t left = room[static_cast<std::size_t>(bin)];
      if (left >= lengths[item] && (best < 0 || left < room[static_cast<std::size_t>(best)])) best = bin;
    }
    if (best < 0) continue;
    bin_of[item] = best;
    room[static_cast<std::size_t>(best)] -= lengths[item];
  }
  return bin_of;
}

}  // namespace tritonrl::train
