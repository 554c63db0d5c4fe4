#include "text/tokenizer/merge_table.h"

#include <algorithm>
#include <bit>

namespace tritonrl::text {

MergeTable::MergeTable(std::size_t merges) {
  const std::size_t slots = std::bit_ceil(std::max<std::size_t>(merges * 2, 8));  // at most half full
  slots_.resize(slots);
  mask_ = slots - 1;
  shift_ = 64 - std::countr_zero(slots);
}

void MergeTable::set(TokenId left, TokenId right, Merge merge) {
  const std::uint64_t key = key_of(left, right);
  std::size_t at = place(key);
  while (slots_[at].key != key && slots_[at].key != kFree) at = (at + 1) & mask_;
  slots_[at] = {key, merge};
}

}  // namespace tritonrl::text
