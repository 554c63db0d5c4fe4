#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tritonrl::text {

using TokenId = std::int32_t;

// How text is cut into words before merging.
enum class Split {
  kGpt2,        // GPT-2's pattern
  kGpt2Digits,  // SmolLM2: digits singly, then GPT-2's pattern
  kQwen2,       // Qwen2 and Qwen2.5
  kLlama3,      // Llama 3: as Qwen2, digits in threes
};

struct AddedToken {
  TokenId id = 0;
  std::string content = {};
  bool special = false;      // left out when decoding with skip_special
  bool normalized = false;   // matched after normalisation instead of before
  bool strip_left = false;   // takes the whitespace before it
  bool strip_right = false;  // takes the whitespace after it
  bool single_word = false;  // matched only between non-word characters
};

// What a byte-level BPE is made of, whichever file it came from.
struct TokenizerParts {
  std::vector<std::string> vocabulary;                      // by id, in the byte-level alphabet; empty: no such id
  std::vector<std::pair<std::string, std::string>> merges;  // best first
  std::vector<AddedToken> added;
  Split split = Split::kQwen2;
  bool nfc = false;  // normalise to NFC first
  bool add_prefix_space = false;
  bool ignore_merges = false;             // a word that is in the vocabulary is one token, whatever the merges say
  std::string unknown_token;              // stands for bytes that are not in the vocabulary; empty: they are left out
  bool fuse_unknown = false;              // one unknown token for a run of such bytes
  std::vector<TokenId> before_text = {};  // what a text begins with, most often one token (BOS)
};

}  // namespace tritonrl::text
