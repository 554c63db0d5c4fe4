#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "program/operator_kind.h"

namespace tritonrl::program {

// One operator of the table operators/*.txt, whose README.md says what its lines mean. Who needs a fact of an operator
// reads it from here: schemas operator_table.h, spellings abstract/operator_names.h, meanings and layers teacher/.
struct OperatorEntry {
  struct Line {
    std::string_view key;   // the line's first word; "aten" for schemas
    std::string_view text;  // what follows; of schemas the whole line
  };

  std::string_view name;  // "conv2d"; empty: operators of ATen that nobody spells
  OperatorKind kind = OperatorKind::kView;
  bool query = false;        // written as kind `query`: it gives no tensor
  std::optional<int> heavy;  // where the header says it
  double ops_per_element = 0;
  std::vector<Line> lines;

  bool has(std::string_view key) const;
  std::string_view text(std::string_view key) const;                // of the first line with this key; empty: none
  std::vector<std::string_view> texts(std::string_view key) const;  // of all of them
};

// In the order of the files. They live as long as the program; safe from any thread. The first call reads the files
// (a millisecond).
std::span<const OperatorEntry> operator_entries();

// For those who read lines. What cannot be read is a bug of the table, and named.

// The next word; empty: there is none.
std::string_view take_word(std::string_view* text);
double number_in(std::string_view text, std::string_view row);
[[noreturn]] void wrong_line(std::string_view what, std::string_view row);

// Words of the table and what they mean.
template <typename Value, std::size_t kCount>
using Words = std::array<std::pair<std::string_view, Value>, kCount>;
template <typename Value, std::size_t kCount>
Value meaning_of(std::string_view word, const Words<Value, kCount>& words, std::string_view row) {
  for (const auto& [known, value] : words) {
    if (known == word) return value;
  }
  wrong_line("unknown word", row);
}

}  // namespace tritonrl::program
