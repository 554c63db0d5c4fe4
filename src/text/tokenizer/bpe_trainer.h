#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer/tokenizer_parts.h"
#include "text/tokenizer/word_counts.h"

namespace tritonrl::text {

struct BpeTrainerOptions {
  int vocab_size = 8192;             // special tokens and the 256 bytes included; fewer if the text has no more pairs
  std::int64_t min_frequency = 2;    // a pair seen less often is not merged
  int longest_token = 0;             // in bytes; 0 for no limit
  Split split = Split::kGpt2Digits;  // how words are cut, here and by the tokenizer that comes out
  bool nfc = false;                  // normalise first, here and in the tokenizer
  std::vector<std::string> special_tokens = {};  // the first ids, in this order; cut out of the text before counting
  std::vector<std::string> fragments = {};       // the next ids; cut out alike, but text as any other when decoding
                                                 // (frequent_fragments.h)
};

// Learns a byte-level BPE vocabulary: special tokens first, then all 256 bytes in the order of their characters, then
// merges, most frequent pair first. The same texts give the same vocabulary, in whatever order they come.
class BpeTrainer {
 public:
  // UserError if the vocabulary is too small for special tokens and bytes, or a special token is there twice or has
  // fewer than two characters.
  explicit BpeTrainer(BpeTrainerOptions options);

  void add(std::string_view text);  // one document; words do not cross its ends
  TokenizerParts train() const;

 private:
  BpeTrainerOptions options_;
  WordCounts counts_;
};

TokenizerParts train_bpe(std::span<const std::string> texts, const BpeTrainerOptions& options);

}  // namespace tritonrl::text
