#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "text/tokenizer/tokenizer_parts.h"

namespace tritonrl::text {

// Which pairs of tokens merge, how early, and into what. A flat hash table: a lookup touches one or two cache lines.
class MergeTable {
 public:
  static constexpr std::uint32_t kNoRank = 0xFFFFFFFF;
  struct Merge {
    std::uint32_t rank = kNoRank;  // lower merges first
    TokenId token = 0;
  };

  explicit MergeTable(std::size_t merges);
  // A pair given twice keeps its later rank, as in Hugging Face's reader. Never more than `merges` pairs.
  void set(TokenId left, TokenId right, Merge merge);

  Merge find(TokenId left, TokenId right) const {
    const std::uint64_t key = key_of(left, right);
    for (std::size_t at = place(key);; at = (at + 1) & mask_) {
      const Slot& slot = slots_[at];
      if (slot.key == key) return slot.merge;
      if (slot.key == kFree) return {};
    }
  }

 private:
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};  // no pair: ids are not negative
  struct Slot {
    std::uint64_t key = kFree;
    Merge merge;
  };

  static std::uint64_t key_of(TokenId left, TokenId right) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32 | static_cast<std::uint32_t>(right);
  }
  std::size_t place(std::uint64_t key) const {
    return static_cast<std::size_t>((key ^ key >> 29) * 0x9E3779B97F4A7C15u >> shift_);
  }

  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
  int shift_ = 0;
};

}  // namespace tritonrl::text
