#include "text/tokenizer/nfc.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "text/tokenizer/character_classes.h"
#include "text/tokenizer/unicode_tables.h"
#include "text/tokenizer/utf8.h"

namespace tritonrl::text {
namespace {

// Hangul syllables are arithmetic: leading consonant, vowel, perhaps a trailing consonant.
constexpr char32_t kSyllables = 0xAC00, kLeading = 0x1100, kVowels = 0x1161, kTrailing = 0x11A7;
constexpr char32_t kLeadingCount = 19, kVowelCount = 21, kTrailingCount = 28;
constexpr char32_t kSyllableCount = kLeadingCount * kVowelCount * kTrailingCount;

struct Mark {
  char32_t value;
  std::uint8_t order;  // 0 for a character that others stand on
};

std::uint8_t combining_order(char32_t c) {
  const auto table = UnicodeTables::combining();
  const auto range = std::upper_bound(table.begin(), table.end(), c,
                                      [](char32_t value, const CombiningRange& r) { return value < r.first; });
  if (range == table.begin()) return 0;
  return c <= (range - 1)->last ? (range - 1)->order : 0;
}

void decompose(char32_t c, std::vector<Mark>& out) {
  if (c < 0xC0) {
    out.push_back({c, 0});
    return;
  }
  if (c - kSyllables < kSyllableCount) {
    const char32_t index = c - kSyllables;
    out.push_back({kLeading + index / (kVowelCount * kTrailingCount), 0});
    out.push_back({kVowels + index / kTrailingCount % kVowelCount, 0});
    if (index % kTrailingCount != 0) out.push_back({kTrailing + index % kTrailingCount, 0});
    return;
  }
  const auto table = UnicodeTables::decompositions();
  const auto entry = std::lower_bound(table.begin(), table.end(), c,
                                      [](const Decomposition& d, char32_t value) { return d.code_point < value; });
  if (entry == table.end() || entry->code_point != c) {
    out.push_back({c, combining_order(c)});
    return;
  }
  for (const char32_t part : UnicodeTables::decomposed().subspan(entry->begin, entry->length)) {
    out.push_back({part, combining_order(part)});
  }
}

// 0 if the two do not compose.
char32_t compose(char32_t first, char32_t second) {
  if (first - kLeading < kLeadingCount && second - kVowels < kVowelCount) {
    return kSyllables + ((first - kLeading) * kVowelCount + (second - kVowels)) * kTrailingCount;
  }
  if (first - kSyllables < kSyllableCount && (first - kSyllables) % kTrailingCount == 0 && second > kTrailing &&
      second - kTrailing < kTrailingCount) {
    return first + (second - kTrailing);
  }
  const auto table = UnicodeTables::compositions();
  const auto entry =
      std::lower_bound(table.begin(), table.end(), std::pair(first, second),
                       [](const Composition& c, const auto& pair) { return std::pair(c.first, c.second) < pair; });
  return entry != table.end() && entry->first == first && entry->second == second ? entry->composed : 0;
}

void sort_marks(std::vector<Mark>& text) {
  for (auto begin = text.begin(); begin != text.end();) {
    if (begin->order == 0) {
      ++begin;
      continue;
    }
    const auto end = std::find_if(begin, text.end(), [](const Mark& mark) { return mark.order == 0; });
    std::stable_sort(begin, end, [](const Mark& a, const Mark& b) { return a.order < b.order; });
    begin = end;
  }
}

// In place; `text` is decomposed and its marks are sorted.
void compose_all(std::vector<Mark>& text) {
  std::size_t kept = 0;
  std::size_t starter = 0;
  bool has_starter = false;
  for (const Mark& mark : std::vector<Mark>(text)) {
    // Blocked: something between the starter and this one has the same or a higher order, or is a starter.
    const bool adjacent = has_starter && starter + 1 == kept;
    const bool blocked = !has_starter || (!adjacent && text[kept - 1].order >= mark.order);
    const char32_t composed = blocked ? 0 : compose(text[starter].value, mark.value);
    if (composed != 0) {
      text[starter].value = composed;
      continue;
    }
    if (mark.order == 0) {
      starter = kept;
      has_starter = true;
    }
    text[kept++] = mark;
  }
  text.resize(kept);
}

}  // namespace

std::string_view normalise_nfc(std::string_view text, std::string& storage) {
  const CharacterClasses& classes = CharacterClasses::get();
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const char* copied = begin;      // up to here the text is in `storage`
  const char* previous = nullptr;  // the last character that stays as it is, on which marks may stand
  std::vector<Mark> segment;
  bool changed = false;
  for (const char* p = begin; p < end;) {
    // All that NFC touches lies at U+0300 and above, whose first bytes begin at 0xCC.
    if (static_cast<unsigned char>(*p) < 0xCC) {
      if (const std::size_t ascii = skip_ascii({p, end}); ascii > 0) p += ascii - 1;
      previous = p;
      p += static_cast<unsigned char>(*p) < 0x80 ? 1 : 2;
      continue;
    }
    int length = 0;
    if ((classes.at(p, length) & CharacterClasses::kTouchedByNfc) == 0) {
      previous = p;
      p += length;
      continue;
    }
    if (!changed) {
      storage.clear();
      storage.reserve(text.size());
      changed = true;
    }
    const char* const from = previous != nullptr ? previous : p;
    storage.append(copied, from);
    segment.clear();
    for (p = from; p < end;) {
      const CodePoint c = decode_valid_utf8(p);
      if (p != from && (classes.of(c.value) & CharacterClasses::kTouchedByNfc) == 0) break;
      decompose(c.value, segment);
      p += c.length;
    }
    sort_marks(segment);
    compose_all(segment);
    for (const Mark& mark : segment) append_utf8(storage, mark.value);
    copied = p;
    previous = nullptr;
  }
  if (!changed) return text;
  storage.append(copied, end);
  return storage;
}

}  // namespace tritonrl::text
