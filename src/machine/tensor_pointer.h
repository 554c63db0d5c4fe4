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
};
static_assert(std::is_trivially_copyable_v<TensorPointer>);

}  // namespace tritonrl::machine
