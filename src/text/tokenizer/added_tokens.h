#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer/character_classes.h"
#include "text/tokenizer/tokenizer_parts.h"

namespace tritonrl::text {

// Finds added tokens in text as Hugging Face does: the leftmost first, of those the longest.
class AddedTokenMatcher {
 public:
  // `tokens` with their contents as they are to be found in the text; no two alike, none empty.
  explicit AddedTokenMatcher(std::vector<AddedToken> tokens);

  struct Match {
    const AddedToken* token = nullptr;
    std::size_t begin = 0, end = 0;  // with the whitespace that the token takes
  };
  // Cuts valid UTF-8 `text`: between(piece) for each non-empty piece between tokens, found(id) for each token, in the
  // order of the text. With `ordinary_specials` special tokens are not found.
  template <class Between, class Found>
  void cut(std::string_view text, bool ordinary_specials, Between&& between, Found&& found) const {
    std::size_t done = 0;
    if (!tokens_.empty()) {
      std::size_t searched = 0;
      for (Match match; next(text, searched, ordinary_specials, done, match);) {
        if (done < match.begin) between(text.substr(done, match.begin - done));
        found(match.token->id);
        done = match.end;
      }
    }
    if (done < text.size()) between(text.substr(done));
  }

 private:
  bool next(std::string_view text, std::size_t& searched, bool ordinary_specials, std::size_t done, Match& match) const;
  const AddedToken* longest_at(std::string_view text, std::size_t at) const;
  std::size_t candidate(std::string_view text, std::size_t from) const;
  bool stands_alone(std::string_view text, std::size_t begin, std::size_t end) const;

  std::vector<AddedToken> tokens_;  // sorted by content
  bool first_bytes_[256] = {};
  int only_first_byte_ = -1;  // if all tokens begin alike
};

}  // namespace tritonrl::text
