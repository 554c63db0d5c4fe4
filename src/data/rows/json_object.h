#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "data/rows/row_builder.h"

namespace tritonrl::data {

// Where and why a text is not JSON.
struct JsonError {
  std::size_t at = 0;  // byte of the text
  std::string message;
};

// Hands the wanted members of one JSON object to `builder`. Strict as to JSON's grammar everywhere; as to UTF-8 and
// single surrogates only in what is wanted, since a parquet reader does not see the rest either. Values deeper than
// kMaxJsonDepth are an error, so that no text overflows the stack.
std::optional<JsonError> parse_json_object(std::string_view text, RowBuilder& builder);

// Whether the text is one JSON value and nothing else.
bool is_json_value(std::string_view text);

inline constexpr int kMaxJsonDepth = 128;

}  // namespace tritonrl::data
