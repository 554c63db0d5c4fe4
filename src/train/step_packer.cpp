#include "train/step_packer.h"

#include "base/check.h"
#include "train/packing.h"

namespace tritonrl::train {

bool StepPacker::add(std::size_t ticket, const Draw& draw, std::int64_t length) {
  if (length > options_.limit()) {
    ++left_out;
    return false;
  }
  items_.push_back({ticket, draw, length});
  tokens_ += length;
  return true;
}

StepPacker::Step StepPacker::take() {
  std::vector<std::int64_t> lengths;
  lengths.reserve(items_.size());
  for (const Item& item : items_) lengths.push_back(item.length);
  const std::vector<int> bin_of = best_fit(lengths, old_, options_.bins, options_.capacity);
  std::vector<std::vector<std::size_t>> bins(static_cast<std::size_t>(options_.bins));
  Step step;
  std::vector<Item> left;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (bin_of[i] < 0) {
      left.push_back(items_[i]);
      continue;
    }
    bins[static_cast<std::size_t>(bin_of[i])].push_back(items_[i].ticket);
    step.tickets.push_back(items_[i].ticket);
    tokens_ -= items_[i].length;
  }
  for (auto& bin : bins) {
    if (!bin.empty()) step.bins.push_back(std::move(bin));
  }
  items_ = std::move(left);
  old_ = items_.size();
  return step;
}

std::vector<Draw> StepPacker::waiting() const {
  std::vector<Draw> draws;
  for (const Item& item : items_) draws.push_back(item.draw);
  return draws;
}

std::int64_t count_steps(const WeightedSource& source, std::uint64_t seed, std::int64_t epochs,
                         const PackingOptions& options) {
  DrawOrder order({source}, seed, epochs);
  StepPacker packer(options);
  std::int64_t steps = 0;
  while (const std::optional<Draw> draw = order.next()) {
    const std::optional<std::int64_t> length = source.source->length(order.index_of(*draw));
    TRL_CHECK(length.has_value(), "steps are counted of a source whose lengths are not known");
    packer.add(0, *draw, *length);
    for (; packer.full(); ++steps) packer.take();
  }
  for (; !packer.empty(); ++steps) packer.take();
  return steps;
}

}  // namespace tritonrl::train
