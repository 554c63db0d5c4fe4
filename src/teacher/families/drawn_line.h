#pragma once

#include <string_view>

#include "program/operator_entries.h"

namespace tritonrl::teacher {

// The line `drawn` of an operator: "torch F; any 8; needs any", parts by semicolons, each a key and its text.
class DrawnLine {
 public:
  explicit DrawnLine(const program::OperatorEntry& entry);

  bool has_way(std::string_view way) const;           // a word of the first part
  std::string_view text(std::string_view key) const;  // empty: there is none
  int number(std::string_view key) const;             // 0: there is none
  template <typename Value, std::size_t kCount>
  Value named(std::string_view key, const program::Words<Value, kCount>& words) const {
    return program::meaning_of(text(key), words, line_);
  }

 private:
  std::string_view line_;
};

// The operator's class of torch.nn, of several the first: "ReLU".
std::string_view layer_of(const program::OperatorEntry& entry);

}  // namespace tritonrl::teacher
