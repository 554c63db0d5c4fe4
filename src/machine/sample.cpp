#include "machine/sample.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace tritonrl::machine {

std::vector<std::int64_t> sample_programs(std::array<std::int64_t, 3> grid, std::int64_t wanted, std::uint64_t seed) {
  const std::int64_t total = grid[0] * grid[1] * grid[2];
  if (wanted <= 0 || wanted >= total) {
    std::vector<std::int64_t> all(static_cast<std::size_t>(total));
    std::iota(all.begin(), all.end(), std::int64_t{0});
    return all;
  }
  std::set<std::int64_t> chosen;
  // Corners hold the edge cases of masks.
  for (int corner = 0; corner < 8 && static_cast<std::int64_t>(chosen.size()) < wanted; ++corner) {
    const std::int64_t x = (corner & 1) != 0 ? grid[0] - 1 : 0;
    const std::int64_t y = (corner & 2) != 0 ? grid[1] - 1 : 0;
    const std::int64_t z = (corner & 4) != 0 ? grid[2] - 1 : 0;
    chosen.insert(x + grid[0] * (y + grid[1] * z));
  }
  std::uint64_t state = 0x9e3779b97f4a7c15ULL ^ (seed * 0xbf58476d1ce4e5b9ULL);
  if (state == 0) state = 1;
  for (std::int64_t i = 0; static_cast<std::int64_t>(chosen.size()) < wanted; ++i) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    const double at =
        (static_cast<double>(i % wanted) + static_cast<double>(state >> 11) * 0x1p-53) / static_cast<double>(wanted);
    chosen.insert(std::min(total - 1, static_cast<std::int64_t>(at * static_cast<double>(total))));
  }
  return {chosen.begin(), chosen.end()};
}

}  // namespace tritonrl::machine
