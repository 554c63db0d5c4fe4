#include "text/tokenizer/word_splitter.h"

namespace tritonrl::text {
namespace {

using Classes = CharacterClasses;

bool is_newline(char c) {
  return c == '\n' || c == '\r';
}

// 's 't 're 've 'm 'll 'd at an apostrophe: how many bytes, 0 for none.
int contraction(const char* p, const char* end) {
  if (end - p < 2) return 0;
  switch (p[1]) {
    case 's':
    case 't':
    case 'm':
    case 'd':
      return 2;
    case 'r':
    case 'v':
      return end - p > 2 && p[2] == 'e' ? 3 : 0;
    case 'l':
      return end - p > 2 && p[2] == 'l' ? 3 : 0;
    default:
      return 0;
  }
}

int contraction_in_any_case(const char* p, const char* end) {
  // The long s folds to s.
  if (end - p > 2 && p[1] == '\xC5' && p[2] == '\xBF') return 3;
  char folded[3];
  int length = 0;
  for (; length < 3 && p + length < end; ++length) {
    const char c = p[length];
    folded[length] = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  }
  return contraction(folded, folded + length);
}

}  // namespace

template <std::uint8_t kAnyOf>
const char* WordSplitter::run_end(const char* p, const char* end) const {
  int length = 0;
  while (p < end && (classes_.at(p, length) & kAnyOf) != 0) p += length;
  return p;
}

// Neither letters, nor numbers, nor spaces.
const char* WordSplitter::others_end(const char* p, const char* end) const {
  int length = 0;
  while (p < end && (classes_.at(p, length) & (Classes::kLetter | Classes::kNumber | Classes::kSpace)) == 0)
    p += length;
  return p;
}

// At a space that no other alternative takes: the whole run at the end of the text; else all of it but the last
// character, which goes with what follows. With `newlines_end_words` a run goes up to its last newline first.
const char* WordSplitter::spaces_end(const char* p, const char* end, bool newlines_end_words) const {
  const char* last = p;  // the last character of the run
  const char* after_newline = nullptr;
  const char* q = p;
  int length = 0;
  while (q < end && (classes_.at(q, length) & Classes::kSpace) != 0) {
    last = q;
    q += length;
    if (is_newline(*last)) after_newline = q;
  }
  if (newlines_end_words && after_newline != nullptr) return after_newline;
  return q == end || last == p ? q : last;
}

const char* WordSplitter::gpt2_word_end(const char* p, const char* end) const {
  if (*p == '\'') {
    const int length = contraction(p, end);
    if (length != 0) return p + length;
  }
  const char* const body = *p == ' ' && p + 1 < end ? p + 1 : p;
  int length = 0;
  const std::uint8_t kind = classes_.at(body, length);
  if ((kind & Classes::kLetter) != 0) return run_end<Classes::kLetter>(body + length, end);
  if ((kind & Classes::kNumber) != 0) return run_end<Classes::kNumber>(body + length, end);
  if ((kind & Classes::kSpace) == 0) return others_end(body + length, end);
  return spaces_end(p, end, /*newlines_end_words=*/false);
}

const char* WordSplitter::qwen_word_end(const char* p, const char* end, int most_digits) const {
  if (*p == '\'') {
    const int length = contraction_in_any_case(p, end);
    if (length != 0) return p + length;
  }
  int length = 0;
  const std::uint8_t kind = classes_.at(p, length);
  const char* const next = p + length;
  if ((kind & Classes::kLetter) != 0) return run_end<Classes::kLetter>(next, end);
  if ((kind & Classes::kNumber) != 0) {
    const char* q = next;
    for (int digits = 1; digits < most_digits && q < end; ++digits) {
      if ((classes_.at(q, length) & Classes::kNumber) == 0) break;
      q += length;
    }
    return q;
  }
  std::uint8_t following = 0;
  if (next < end) following = classes_.at(next, length);
  // Any one character that is no newline may lead a word.
  if ((following & Classes::kLetter) != 0 && !is_newline(*p)) return run_end<Classes::kLetter>(next + length, end);
  const bool leads_others =
      *p == ' ' && next < end && (following & (Classes::kLetter | Classes::kNumber | Classes::kSpace)) == 0;
  if ((kind & Classes::kSpace) == 0 || leads_others) {
    const char* q = others_end(next, end);
    while (q < end && is_newline(*q)) ++q;
    return q;
  }
  return spaces_end(p, end, /*newlines_end_words=*/true);
}

}  // namespace tritonrl::text
