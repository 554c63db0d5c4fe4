#include "generate/race.h"

#include <algorithm>
#include <cmath>

namespace tritonrl::generate {
namespace {

// The leader so far. A token's speed is weight / -log(1 - unit), at most weight / unit: most need no logarithm.
class Leader {
 public:
  bool might_lose_to(float weight, float unit) const { return weight > speed_ * unit; }
  void meet(std::int64_t token, float weight, float unit) {
    if (!might_lose_to(weight, unit)) return;
    const float speed = weight / -std::log1p(-unit);
    if (speed <= speed_) return;
    speed_ = speed;
    token_ = token;
  }
  std::int64_t token() const { return token_; }

 private:
  float speed_ = 0;
  std::int64_t token_ = 0;
};

}  // namespace

std::int64_t first_to_arrive(std::span<const float> weights, DrawKey key) {
  constexpr std::size_t kBlock = 64;
  Leader leader;
  for (std::size_t start = 0; start < weights.size(); start += kBlock) {
    const std::size_t count = std::min(kBlock, weights.size() - start);
    const float* weight = weights.data() + start;
    // Without branches, so that the compiler makes vector instructions of it.
    float units[kBlock];
    for (std::size_t i = 0; i < kBlock; ++i) units[i] = unit_draw(key, static_cast<std::uint32_t>(start + i));
    int challengers = 0;
    for (std::size_t i = 0; i < count; ++i) challengers += leader.might_lose_to(weight[i], units[i]);
    if (challengers == 0) continue;
    for (std::size_t i = 0; i < count; ++i) leader.meet(static_cast<std::int64_t>(start + i), weight[i], units[i]);
  }
  return leader.token();
}

std::int64_t first_to_arrive(std::span<const std::int32_t> tokens, std::span<const float> weights, DrawKey key) {
  Leader leader;
  for (const std::int32_t token : tokens)
    leader.meet(token, weights[token], unit_draw(key, static_cast<std::uint32_t>(token)));
  return leader.token();
}

}  // namespace tritonrl::generate
