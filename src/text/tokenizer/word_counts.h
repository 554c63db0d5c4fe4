#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "text/tokenizer/added_tokens.h"
#include "text/tokenizer/tokenizer_parts.h"
#include "text/tokenizer/word_splitter.h"

namespace tritonrl::text {

// How often each word occurs, cut as a tokenizer with these properties cuts text.
class WordCounts {
 public:
  // `special_tokens` are cut out and not counted.
  WordCounts(Split split, bool nfc, const std::vector<std::string>& special_tokens);

  void add(std::string_view text);

  // Sorted, so that the result does not depend on the order of the texts. Lives as long as this object is unchanged.
  std::vector<std::pair<std::string_view, std::int64_t>> sorted() const;

 private:
  void count(std::string_view word);

  WordSplitter splitter_;
  AddedTokenMatcher specials_;
  bool nfc_;
  std::deque<std::string> words_;  // own the keys
  std::unordered_map<std::string_view, std::int64_t> counts_;
};

}  // namespace tritonrl::text
