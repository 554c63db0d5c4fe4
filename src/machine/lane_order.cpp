#include "machine/lane_order.h"

#include <algorithm>
#include <string_view>

namespace tritonrl::machine {
namespace {

constexpr std::int64_t kLanesOfWarp = 32;
constexpr std::int64_t kWidest = 16;        // bytes that a thread moves at once
constexpr std::size_t kMostRuns = 1 << 10;  // remembered of one tensor; a barrier is not far in any real kernel

constexpr std::string_view kBringTogether[] = {"gpu.barrier",
                                               "ttg.barrier",
                                               "ttg.local_barrier",
                                               "tt.reduce",
                                               "tt.scan",
                                               "tt.dot",
                                               "tt.dot_scaled",
                                               "tt.atomic_rmw",
                                               "tt.atomic_cas",
                                               "tt.trans",
                                               "tt.reshape",
                                               "tt.expand_dims",
                                               "tt.join",
                                               "tt.split",
                                               "tt.cat",
                                               "tt.gather",
                                               "tt.histogram",
                                               "tt.descriptor_load",
                                               "tt.descriptor_store",
                                               "tt.descriptor_reduce",
                                               "tt.descriptor_gather",
                                               "tt.descriptor_scatter"};

}  // namespace

void mark_barriers(Code& code) {
  for (Step& step : code.body) {
    step.barrier = step.op != nullptr && std::find(std::begin(kBringTogether), std::end(kBringTogether),
                                                   step.op->name) != std::end(kBringTogether);
  }
}

std::int64_t LaneOrder::warp(const Run& run, std::int64_t offset) const {
  const std::int64_t lane = run.first + (offset - run.offset) / run.size;
  const std::int64_t together =
      std::clamp(run.count / (kLanesOfWarp * warps_), std::int64_t{1}, std::max(std::int64_t{1}, kWidest / run.size));
  return lane / (kLanesOfWarp * together) % warps_;
}

bool LaneOrder::meets(const std::vector<Run>& before, const Run& run, Conflict& conflict) const {
  const std::int64_t end = run.offset + run.lanes * run.size;
  for (const Run& one : before) {
    const std::int64_t from = std::max(one.offset, run.offset);
    const std::int64_t to = std::min(one.offset + one.lanes * one.size, end);
    if (from >= to) continue;
    const bool same_lanes = one.count == run.count && one.size == run.size &&
                            one.offset - one.first * one.size == run.offset - run.first * run.size;
    if (same_lanes) continue;
    for (std::int64_t at = from; at < to; at += std::min(one.size, run.size)) {
      if (warp(one, at) == warp(run, at)) continue;
      conflict = {at, one.step};
      return true;
    }
  }
  return false;
}

void LaneOrder::remember(std::vector<Run>& runs, const Run& run) {
  if (runs.size() == kMostRuns) runs.erase(runs.begin(), runs.begin() + kMostRuns / 2);
  runs.push_back(run);
}

bool LaneOrder::load(int allocation, const Run& run, Conflict& conflict) {
  PerTensor& tensor = tensors_[allocation];
  remember(tensor.loads, run);
  return meets(tensor.stores, run, conflict);
}

bool LaneOrder::store(int allocation, const Run& run, Conflict& conflict) {
  PerTensor& tensor = tensors_[allocation];
  remember(tensor.stores, run);
  return meets(tensor.loads, run, conflict);
}

void LaneOrder::barrier() {
  for (auto& [allocation, tensor] : tensors_) {
    tensor.loads.clear();
    tensor.stores.clear();
  }
}

}  // namespace tritonrl::machine
