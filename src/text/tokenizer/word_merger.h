#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "text/tokenizer/merge_table.h"
#include "text/tokenizer/tokenizer_parts.h"

namespace tritonrl::text {

// The BPE model itself: a word's bytes to tokens. Const methods may be called from many threads.
class WordMerger {
 public:
  struct Bytes {
    std::array<std::optional<TokenId>, 256> ids;  // the token of each byte alone
    std::optional<TokenId> unknown;               // for bytes without one; else those are left out
    bool fuse_unknown = false;                    // one unknown token for a run of such bytes
  };

  WordMerger(const Bytes& bytes, MergeTable merges) : bytes_(bytes), merges_(std::move(merges)) {}

  // Appends the tokens of `word` to `out`: pairs merge by rank, the leftmost first. Time n log n in the word's length.
  void append(std::string_view word, std::vector<TokenId>& out) const;

 private:
  void start(std::string_view word, std::vector<TokenId>& out) const;
  void merge_short(std::vector<TokenId>& out, std::size_t begin) const;
  void merge_long(std::vector<TokenId>& out, std::size_t begin) const;

  Bytes bytes_;
  MergeTable merges_;
};

}  // namespace tritonrl::text
