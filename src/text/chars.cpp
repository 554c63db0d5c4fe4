#include "text/chars.h"

namespace tritonrl::text {

std::string_view trim_left(std::string_view text) {
  return text.substr(indentation(text));
}

std::string_view trim_right(std::string_view text) {
  while (!text.empty() && (is_blank(text.back()) || text.back() == '\n')) text.remove_suffix(1);
  return text;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && (is_blank(text.front()) || text.front() == '\n')) text.remove_prefix(1);
  return trim_right(text);
}

std::string_view leading_word(std::string_view text) {
  if (text.empty() || !is_word_start(text[0])) return {};
  std::size_t n = 1;
  while (n < text.size() && is_word(text[n])) ++n;
  return text.substr(0, n);
}

std::size_t indentation(std::string_view text) {
  std::size_t n = 0;
  while (n < text.size() && is_blank(text[n])) ++n;
  return n;
}

bool LineCursor::next() {
  if (next_ >= text_.size()) return false;
  begin_ = next_;
  std::size_t newline = text_.find('\n', begin_);
  std::size_t stop = newline == std::string_view::npos ? text_.size() : newline;
  line_ = text_.substr(begin_, stop - begin_);
  next_ = newline == std::string_view::npos ? stop : stop + 1;
  return true;
}

}  // namespace tritonrl::text
