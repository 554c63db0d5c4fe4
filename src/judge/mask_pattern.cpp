#include "judge/mask_pattern.h"

#include <algorithm>

namespace tritonrl::judge {

std::vector<bool> mask_pattern(const std::vector<std::int64_t>& sizes, std::size_t count, bool full_rows,
                               std::mt19937_64& random) {
  enum : std::uint64_t { kHalf, kOne, kOtherHalf, kAllButOne, kWays };
  const std::size_t row = sizes.empty() ? 1 : static_cast<std::size_t>(std::max<std::int64_t>(1, sizes.back()));
  std::vector<bool> out(count);
  const std::uint64_t first = random() % kWays;
  for (std::size_t begin = 0; begin < count; begin += row) {
    const std::uint64_t way = row < 3 ? kHalf : (first + begin / row) % kWays;
    for (std::size_t i = 0; i < row; ++i) out[begin + i] = way == kAllButOne || (way != kOne && random() % 2 == 0);
    const std::size_t place = begin + random() % row;
    if (way == kAllButOne && !full_rows) out[place] = false;
    if (way == kOne) out[place] = true;
    if (way != kAllButOne && row > 1) {
      const std::size_t other = begin + (place - begin + 1 + random() % (row - 1)) % row;
      out[place] = true;
      out[other] = way == kOne ? false : out[other];
    }
  }
  return out;
}

}  // namespace tritonrl::judge
