#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "text/tokenizer/tokenizer_parts.h"

namespace tritonrl::text {

// Tokens of words seen before. Fixed size, one place a word: a newer word takes an older one's. One a thread.
class WordCache {
 public:
  static constexpr std::size_t kLongestWord = 24;  // bytes
  static constexpr std::size_t kMostTokens = 9;

  // A word as three machine words, zeros behind its end. `readable` bytes may be read from its start, at least its own.
  struct Key {
    std::uint64_t parts[3];
    std::uint32_t length;

    Key(std::string_view word, std::size_t readable) : length(static_cast<std::uint32_t>(word.size())) {
      if (readable >= kLongestWord) {
        std::memcpy(parts, word.data(), kLongestWord);
        if constexpr (std::endian::native == std::endian::little) {
          const auto keep = [](std::size_t bytes) {  // of one part
            return bytes >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * bytes) - 1;
          };
          parts[0] &= keep(length);
          parts[1] &= length > 8 ? keep(length - 8) : 0;
          parts[2] &= length > 16 ? keep(length - 16) : 0;
          return;
        }
      }
      parts[0] = parts[1] = parts[2] = 0;
      std::memcpy(parts, word.data(), length);
    }
  };

  WordCache() : entries_(kEntries) {}

  // The place of this word; holds() says whether the word is there.
  struct Entry {
    std::uint64_t parts[3] = {};
    std::uint8_t length = 0;  // 0: free, there are no empty words
    std::uint8_t count = 0;
    TokenId tokens[kMostTokens] = {};

    bool holds(const Key& key) const {
      return length == key.length && parts[0] == key.parts[0] && parts[1] == key.parts[1] && parts[2] == key.parts[2];
    }
    void keep(const Key& key, std::span<const TokenId> ids) {
      if (ids.size() > kMostTokens) return;
      std::copy(key.parts, key.parts + 3, parts);
      length = static_cast<std::uint8_t>(key.length);
      count = static_cast<std::uint8_t>(ids.size());
      std::copy(ids.begin(), ids.end(), tokens);
    }
  };
  Entry& place(const Key& key) {
    std::uint64_t hash = key.parts[0] * 0x9E3779B97F4A7C15u;
    hash ^= (key.parts[1] ^ hash >> 32) * 0xC2B2AE3D27D4EB4Fu;
    hash ^= (key.parts[2] ^ hash >> 31) * 0x165667B19E3779F9u;
    return entries_[hash * 0x9E3779B97F4A7C15u >> (64 - kBits)];
  }

  // This thread's cache for the tables with this number; the last few tables keep theirs.
  static WordCache& of(std::uint64_t tables);

 private:
  static constexpr int kBits = 16;
  static constexpr std::size_t kEntries = std::size_t{1} << kBits;  // four megabytes
  static_assert(sizeof(Entry) == 64);

  std::vector<Entry> entries_;
};

}  // namespace tritonrl::text
