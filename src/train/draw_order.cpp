#include "train/draw_order.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/hash64.h"

namespace tritonrl::train {
namespace {

// Fisher and Yates; std::shuffle is not the same everywhere.
std::vector<std::uint32_t> shuffled(std::uint64_t size, std::uint64_t seed) {
  std::vector<std::uint32_t> order(size);
  std::iota(order.begin(), order.end(), 0U);
  for (std::uint64_t i = size; i > 1; --i) {
    const std::uint64_t other = base::mix64(seed ^ base::mix64(i)) % i;
    std::swap(order[i - 1], order[other]);
  }
  return order;
}

}  // namespace

DrawOrder::DrawOrder(const std::vector<WeightedSource>& sources, std::uint64_t seed, std::int64_t epochs)
    : seed_(seed), drawn_(sources.size(), 0) {
  double total = 0;
  for (const WeightedSource& each : sources) {
    sizes_.push_back(each.source->size());
    if (sizes_.back() == std::uint64_t{0} || sizes_.back().value_or(0) > UINT32_MAX)
      throw base::UserError("train", each.source->name() + " holds " + std::to_string(*sizes_.back()) +
                                         " pairs: there is nothing to train on, or more than can be shuffled");
    shares_.push_back(total += each.weight);
  }
  for (double& share : shares_) share /= total;
  if (epochs > 0 && sources.size() == 1 && sizes_.front())
    limit_ = *sizes_.front() * static_cast<std::uint64_t>(epochs);
  for (auto& each : shuffled_) each.resize(sources.size());
}

std::optional<Draw> DrawOrder::next() {
  const std::uint64_t count = std::accumulate(drawn_.begin(), drawn_.end(), std::uint64_t{0});
  if (limit_ && count >= *limit_) return std::nullopt;
  std::size_t source = 0;
  if (shares_.size() > 1) {
    const double point = static_cast<double>(base::mix64(base::mix64(seed_) ^ count) >> 11) * 0x1p-53;
    while (source + 1 < shares_.size() && point >= shares_[source]) ++source;
  }
  return Draw{.source = source, .number = drawn_[source]++};
}

std::uint64_t DrawOrder::index_of(const Draw& draw) {
  const std::optional<std::uint64_t> size = sizes_[draw.source];
  if (!size) return draw.number;
  const std::uint64_t epoch = draw.number / *size;
  Shuffled& kept = shuffled_[epoch % 2][draw.source];
  if (kept.epoch != epoch)
    kept = {.epoch = epoch, .order = shuffled(*size, base::mix64(seed_ ^ base::mix64(epoch) ^ (draw.source << 48)))};
  return kept.order[draw.number % *size];
}

void DrawOrder::go_to(const std::vector<std::uint64_t>& drawn) {
  if (drawn.size() != drawn_.size())
    throw base::UserError("train", "the checkpoint was made with " + std::to_string(drawn.size()) +
                                       " sources of data, this run has " + std::to_string(drawn_.size()) +
                                       "; give the same ones, or start anew with --fresh");
  drawn_ = drawn;
}

}  // namespace tritonrl::train
