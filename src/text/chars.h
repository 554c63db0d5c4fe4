#pragma once

#include <cstddef>
#include <string_view>

namespace tritonrl::text {

inline constexpr std::size_t kNone = std::string_view::npos;  // nothing was found

// ASCII only, whatever the locale. Bytes of multi-byte characters count as letters of identifiers, as in Python.
inline bool is_blank(char c) {
  return c == ' ' || c == '\t';
}
inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
inline bool is_word_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
inline bool is_word(char c) {
  return is_word_start(c) || is_digit(c);
}
inline char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

std::string_view trim_left(std::string_view text);   // spaces and tabs
std::string_view trim_right(std::string_view text);  // spaces, tabs and newlines
std::string_view trim(std::string_view text);        // both ends; spaces, tabs and newlines

// The identifier that `text` begins with, perhaps empty.
std::string_view leading_word(std::string_view text);

// `lower_prefix` is in lower case already.
inline bool starts_with_ignoring_case(std::string_view text, std::string_view lower_prefix) {
  if (text.size() < lower_prefix.size()) return false;
  for (std::size_t i = 0; i < lower_prefix.size(); ++i) {
    if (lower(text[i]) != lower_prefix[i]) return false;
  }
  return true;
}

// How many bytes of white space `text` begins with.
std::size_t indentation(std::string_view text);

// Walks a text line by line; a last line without newline counts, an empty rest does not.
class LineCursor {
 public:
  explicit LineCursor(std::string_view text, std::size_t at = 0) : text_(text), next_(at) {}

  bool next();
  std::string_view line() const { return line_; }  // without its newline
  std::size_t begin() const { return begin_; }
  std::size_t end() const { return next_; }  // where the following line begins

 private:
  std::string_view text_;
  std::string_view line_;
  std::size_t begin_ = 0;
  std::size_t next_ = 0;
};

}  // namespace tritonrl::text
