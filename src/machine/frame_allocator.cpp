#include "machine/frame_allocator.h"

#include <algorithm>

#include "base/check.h"

namespace tritonrl::machine {
namespace {

std::int64_t rounded(std::int64_t bytes) {
  constexpr std::int64_t kAlignment = FrameAllocator::kAlignment;
  return (std::max<std::int64_t>(bytes, 1) + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace

std::int32_t FrameAllocator::allocate(std::int64_t bytes) {
  bytes = rounded(bytes);
  std::vector<std::int32_t>& reusable = free_[bytes];
  if (reusable.empty()) {
    const std::int32_t offset = allocate_fresh(bytes);
    places_[offset] = {bytes, 1};
    return offset;
  }
  const std::int32_t offset = reusable.back();
  reusable.pop_back();
  places_[offset] = {bytes, 1};
  return offset;
}

std::int32_t FrameAllocator::allocate_fresh(std::int64_t bytes) {
  const auto offset = static_cast<std::int32_t>(end_);
  end_ += rounded(bytes);
  return offset;
}

void FrameAllocator::share(std::int32_t offset) {
  ++places_.at(offset).owners;
}

void FrameAllocator::release(std::int32_t offset) {
  const auto found = places_.find(offset);
  TRL_CHECK(found != places_.end(), "a place that is not in use");
  if (--found->second.owners > 0) return;
  free_[found->second.bytes].push_back(offset);
  places_.erase(found);
}

}  // namespace tritonrl::machine
