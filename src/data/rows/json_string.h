#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tritonrl::data {

// A decoded JSON string. Not checked for valid UTF-8.
struct JsonText {
  std::string bytes;            // undefined if `length` is beyond the limit
  std::size_t length = 0;       // in bytes, also beyond the limit
  bool lone_surrogate = false;  // an escape stands for half a character; U+FFFD is in its place
};

struct JsonString {
  std::size_t length = 0;       // of the input up to the closing quote and with it, or to the error
  const char* error = nullptr;  // why it is no JSON string; lives as long as the program
};

// Reads the string that begins with the quote at the start of `text`, into `into` unless that is null. Only the first
// `limit` bytes are decoded.
JsonString read_json_string(std::string_view text, JsonText* into, std::size_t limit);

}  // namespace tritonrl::data
