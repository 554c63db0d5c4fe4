#include "abstract/text_hints.h"

#include <array>

namespace tritonrl::abstract {
namespace {

constexpr int kLongText = 50;

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || (c & 0x80) != 0;
}

bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

// Words and single signs, at most a few more than the limit.
int count_tokens(std::string_view source) {
  int tokens = 0;
  for (std::size_t i = 0; i < source.size() && tokens <= kLongText;) {
    if (is_space(source[i])) {
      ++i;
      continue;
    }
    ++tokens;
    if (!is_word(source[i++])) continue;
    while (i < source.size() && is_word(source[i])) ++i;
  }
  return tokens;
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

constexpr std::array<std::string_view, 3> kFusionWords = {"fused", "fusion", "combined"};

bool starts_with_word(std::string_view source, std::string_view word) {
  if (source.size() < word.size()) return false;
  std::size_t same = 0;
  while (same < word.size() && lower(source[same]) == word[same]) ++same;
  return same == word.size();
}

// Which of the words the source has, in large letters or small ones; one look at the source for all.
std::array<bool, kFusionWords.size()> fusion_words_in(std::string_view source) {
  std::array<bool, kFusionWords.size()> found = {};
  for (std::size_t i = 0; i < source.size(); ++i) {
    const char first = lower(source[i]);
    if (first != 'f' && first != 'c') continue;
    for (std::size_t word = 0; word < kFusionWords.size(); ++word)
      found[word] = found[word] || starts_with_word(source.substr(i), kFusionWords[word]);
  }
  return found;
}

// The first chain of a heavy operator, a norm and a pointwise one: "conv2d, batch_norm, relu".
std::string find_chain(const ForwardOperators& forward) {
  std::array<const ForwardOperator*, 3> last = {};
  for (const ForwardOperator& op : forward.operators) {
    if (!program::is_compute(op.kind)) continue;
    last = {last[1], last[2], &op};
    if (last[0] != nullptr && program::is_heavy(last[0]->kind) && last[1]->kind == program::OperatorKind::kNormalise &&
        last[2]->kind == program::OperatorKind::kPointwise) {
      return last[0]->name + ", " + last[1]->name + ", " + last[2]->name;
    }
  }
  return {};
}

}  // namespace

TextHints text_hints(const ForwardOperators& forward, std::string_view source) {
  TextHints hints;
  int computing = 0;
  for (const ForwardOperator& op : forward.operators) computing += program::is_compute(op.kind) ? 1 : 0;
  if (computing > 1) {
    hints.several = true;
    hints.why.push_back("several operations: " + std::to_string(computing));
  }
  if (const std::string chain = find_chain(forward); !chain.empty()) {
    hints.chain = true;
    hints.why.push_back("a chain: " + chain);
  }
  const auto fusion_words = fusion_words_in(source);
  for (std::size_t word = 0; word < kFusionWords.size(); ++word) {
    if (!fusion_words[word]) continue;
    hints.fusion_words = true;
    hints.why.push_back("the text says \"" + std::string(kFusionWords[word]) + "\"");
  }
  if (count_tokens(source) > kLongText) {
    hints.long_text = true;
    hints.why.push_back("more than " + std::to_string(kLongText) + " tokens");
  }
  return hints;
}

}  // namespace tritonrl::abstract
