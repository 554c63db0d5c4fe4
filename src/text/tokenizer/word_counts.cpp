#include "text/tokenizer/word_counts.h"

#include <algorithm>

#include "text/tokenizer/nfc.h"
#include "text/tokenizer/utf8.h"

namespace tritonrl::text {
namespace {

std::vector<AddedToken> as_added_tokens(const std::vector<std::string>& contents) {
  std::vector<AddedToken> tokens;
  for (const std::string& content : contents) tokens.push_back({.content = content, .special = true});
  return tokens;
}

}  // namespace

WordCounts::WordCounts(Split split, bool nfc, const std::vector<std::string>& special_tokens)
    : splitter_(split), specials_(as_added_tokens(special_tokens)), nfc_(nfc) {}

void WordCounts::add(std::string_view text) {
  std::string repaired;
  if (!is_valid_utf8(text)) text = repaired = replace_invalid_utf8(text);
  const auto count_piece = [this](std::string_view piece) {
    std::string normalized;
    if (nfc_) piece = normalise_nfc(piece, normalized);
    splitter_.cut_digits(
        piece, [this](std::string_view run) { splitter_.split(run, [this](std::string_view word) { count(word); }); });
  };
  specials_.cut(text, /*ordinary_specials=*/false, count_piece, [](TokenId) {});
}

void WordCounts::count(std::string_view word) {
  const auto known = counts_.find(word);
  if (known != counts_.end()) {
    ++known->second;
  } else {
    counts_.emplace(words_.emplace_back(word), 1);
  }
}

std::vector<std::pair<std::string_view, std::int64_t>> WordCounts::sorted() const {
  std::vector<std::pair<std::string_view, std::int64_t>> words(counts_.begin(), counts_.end());
  std::sort(words.begin(), words.end());
  return words;
}

}  // namespace tritonrl::text
