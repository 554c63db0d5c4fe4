#pragma once

#include <cstdint>
#include <type_traits>

namespace tritonrl::machine {

constexpr int kMaxPointerRank = 5;

// The value of a block pointer (tl.make_block_ptr) or a tensor descriptor. Strides count elements.
struct TensorPointer {
  std::uint64_t base = 0;
  std::int64_t shape[kMaxPointerRank] = {};
  std::int64_t strides[kMaxPointerRank] = {};
  std::int64_t offsets[kMaxPointerRank] = {};
  // Of descriptors: what lies outside reads as NaN; float32 is rounded to tf32 as it is read.
  bool nan_outside = false, rounds_to_tf32 = false;
};
static_assert(std::is_trivially_copyable_v<TensorPointer>);

}  // namespace tritonrl::machine
