#include "rl/task_draw.h"

#include <algorithm>
#include <cmath>

#include "base/hash64.h"

namespace tritonrl::rl {
namespace {

// The order of a pool in one of its passes.
std::vector<std::size_t> shuffled(std::vector<std::size_t> pool, std::uint64_t seed) {
  for (std::size_t left = pool.size(); left > 1; --left) {
    seed = base::mix64(seed);
    std::swap(pool[left - 1], pool[seed % left]);
  }
  return pool;
}

}  // namespace

TaskDraw::TaskDraw(std::span<const int> levels, std::uint64_t seed, DrawState state) : seed_(seed), state_(state) {
  for (std::size_t i = 0; i < levels.size(); ++i) {
    (levels[i] >= 2 ? harder_ : easier_).push_back(i);
    all_.push_back(i);
  }
}

std::vector<std::size_t> TaskDraw::draw(std::int64_t count, std::optional<double> harder_share) {
  std::vector<std::size_t> out;
  count = std::min(count, static_cast<std::int64_t>(all_.size()));
  if (!harder_share) {
    take(all_, 0, count, state_.any, out);
    return out;
  }
  const auto easier = static_cast<std::int64_t>(easier_.size()), harder = static_cast<std::int64_t>(harder_.size());
  std::int64_t wanted = std::llround(*harder_share * static_cast<double>(count));
  if (*harder_share > 0 && count > 1) wanted = std::max<std::int64_t>(1, wanted);
  wanted = std::clamp(wanted, std::max<std::int64_t>(0, count - easier), std::min(count, harder));
  take(easier_, 1, count - wanted, state_.easier, out);
  take(harder_, 2, wanted, state_.harder, out);
  return out;
}

void TaskDraw::take(const std::vector<std::size_t>& pool, std::uint64_t pool_seed, std::int64_t count,
                    std::uint64_t& drawn, std::vector<std::size_t>& out) const {
  const std::size_t before = out.size();
  std::optional<std::uint64_t> pass;
  std::vector<std::size_t> order;
  for (std::int64_t taken = 0; taken < count;) {
    if (const std::uint64_t wanted = drawn / pool.size(); pass != wanted) {
      pass = wanted;
      order = shuffled(pool, base::mix64(seed_ ^ base::mix64(pool_seed + 4 * wanted)));
    }
    const std::size_t next = order[drawn++ % pool.size()];
    // where a new pass begins within a round, its first ones may be the last pass's last
    const auto from = out.begin() + static_cast<std::ptrdiff_t>(before);
    if (std::find(from, out.end(), next) != out.end()) continue;
    out.push_back(next);
    ++taken;
  }
}

}  // namespace tritonrl::rl
