#pragma once

#include <string_view>

#include "text/tokenizer/character_classes.h"
#include "text/tokenizer/tokenizer_parts.h"

namespace tritonrl::text {

// The split patterns of byte-level BPE, written out by hand over characters instead of a regular expression. The text
// between two added tokens is one piece; patterns that look ahead see its end as the end of the text.
class WordSplitter {
 public:
  explicit WordSplitter(Split split) : classes_(CharacterClasses::get()), split_(split) {}

  // Calls use(word) for each word of `piece` (valid UTF-8); the words together are the piece. Takes time linear in it.
  template <class Use>
  void split(std::string_view piece, Use&& use) const {
    const char* p = piece.data();
    const char* const end = p + piece.size();
    while (p < end) {
      const char* const next = word_end(p, end);
      use(std::string_view(p, static_cast<std::size_t>(next - p)));
      p = next;
    }
  }

  // kGpt2Digits first cuts out every digit and splits what lies between on its own. Calls use(run) for each digit and
  // each run between digits; for other splits for the whole piece.
  template <class Use>
  void cut_digits(std::string_view piece, Use&& use) const {
    const char* const end = piece.data() + piece.size();
    if (split_ != Split::kGpt2Digits) {
      use(piece);
      return;
    }
    const char* run = piece.data();
    for (const char* p = run; p < end;) {
      int length = 0;
      if ((classes_.at(p, length) & CharacterClasses::kIsolatedDigit) == 0) {
        p += length;
        continue;
      }
      if (run < p) use(std::string_view(run, static_cast<std::size_t>(p - run)));
      use(std::string_view(p, static_cast<std::size_t>(length)));
      run = p += length;
    }
    if (run < end) use(std::string_view(run, static_cast<std::size_t>(end - run)));
  }

 private:
  const char* word_end(const char* p, const char* end) const {
    switch (split_) {
      case Split::kGpt2:
      case Split::kGpt2Digits:
        return gpt2_word_end(p, end);
      case Split::kQwen2:
        return qwen_word_end(p, end, 1);
      case Split::kLlama3:
        return qwen_word_end(p, end, 3);
    }
    return end;
  }
  const char* gpt2_word_end(const char* p, const char* end) const;
  const char* qwen_word_end(const char* p, const char* end, int most_digits) const;
  const char* spaces_end(const char* p, const char* end, bool newlines_end_words) const;
  template <std::uint8_t kAnyOf>
  const char* run_end(const char* p, const char* end) const;
  const char* others_end(const char* p, const char* end) const;

  const CharacterClasses& classes_;
  Split split_;
};

}  // namespace tritonrl::text
