#include "text/tokenizer/nfc.h"

#include <algorithm>
#include <array>

#include "base/base64.h"
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
  const NfcTables& tables = NfcTables::get();
  const auto entry = tables.decompositions.find(c);
  if (entry == tables.decompositions.end()) {
    const auto order = tables.orders.find(c);
    out.push_back({c, order == tables.orders.end() ? std::uint8_t{0} : order->second});
    return;
  }
  for (const char32_t part : entry->second) decompose(part, out);
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
  const auto& compositions = NfcTables::get().compositions;
  const auto entry = compositions.find(NfcTables::pair(first, second));
  return entry != compositions.end() ? entry->second : 0;
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

const NfcTables& NfcTables::get() {
  static const NfcTables tables;
  return tables;
}

NfcTables::NfcTables() {
  const std::vector<std::uint32_t> marks = base::base64_numbers(UnicodeTables::kCombining);
  char32_t c = 0;
  for (std::size_t i = 0; i < marks.size(); i += 3) {
    c += marks[i];
    for (const char32_t end = c + marks[i + 1]; c < end; ++c) {
      orders[c] = static_cast<std::uint8_t>(marks[i + 2]);
      touched.push_back(c);
    }
  }
  const std::vector<std::uint32_t> numbers = base::base64_numbers(UnicodeTables::kDecompositions);
  std::array<char32_t, 4> parts{};
  c = 0;
  for (std::size_t i = 0; i < numbers.size();) {
    c += numbers[i++];
    const std::uint32_t form = numbers[i++];
    for (std::size_t k = 0; k < form / 2; ++k, ++i) {
      parts[k] += numbers[i] % 2 == 0 ? numbers[i] / 2 : -(numbers[i] / 2 + 1);
    }
    decompositions[c].assign(parts.data(), form / 2);
    if (form % 2 == 1) compositions[pair(parts[0], parts[1])] = c;
    touched.push_back(form % 2 == 1 ? parts[1] : c);
  }
  for (char32_t k = 0; k < kVowelCount; ++k) touched.push_back(kVowels + k);
  for (char32_t k = 1; k < kTrailingCount; ++k) touched.push_back(kTrailing + k);
}

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
