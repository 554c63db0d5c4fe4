#include "serve/broken_text.h"

#include <algorithm>

#include "text/tokenizer/utf8.h"

namespace tritonrl::serve {
namespace {

using base::Json;

constexpr std::size_t kEscape = 6;  // bytes of \ud800

// The code unit that is written as \uXXXX at the start of `text`; -1: something else.
int escaped_unit(std::string_view text) {
  if (text.size() < kEscape || text[0] != '\\' || text[1] != 'u') return -1;
  int unit = 0;
  for (const char digit : text.substr(2, 4)) {
    const std::size_t value = std::string_view("0123456789abcdef").find(static_cast<char>(digit | 0x20));
    if (value == std::string_view::npos) return -1;
    unit = unit * 16 + static_cast<int>(value);
  }
  return unit;
}

bool is_high(int unit) {
  return unit >= 0xD800 && unit < 0xDC00;
}
bool is_low(int unit) {
  return unit >= 0xDC00 && unit < 0xE000;
}

// The line with `mark` in place of each half of a pair that stands alone; `first` is the first of them as written.
std::string with_marks(std::string_view line, std::string_view mark, std::string& first) {
  std::string out;
  out.reserve(line.size());
  for (std::size_t at = 0; at < line.size();) {
    const int unit = escaped_unit(line.substr(at));
    std::size_t length = line[at] == '\\' ? 2 : 1;
    if (unit >= 0) length = kEscape;
    if (is_high(unit) && is_low(escaped_unit(line.substr(std::min(at + kEscape, line.size()))))) {
      length = 2 * kEscape;
    } else if (is_high(unit) || is_low(unit)) {
      if (first.empty()) first = line.substr(at, kEscape);
      out += mark;
      at += kEscape;
      continue;
    }
    out += line.substr(at, length);
    at += length;
  }
  return out;
}

// The first member in which two readings of a line differ.
std::string differing_member(const Json& one, const Json& other) {
  for (std::size_t i = 0; i < one.items().size() && i < other.items().size(); ++i) {
    if (!(one.items()[i].value == other.items()[i].value)) return one.items()[i].name;
  }
  return "";
}

}  // namespace

std::optional<BrokenText> read_broken_text(std::string_view line) {
  const bool is_utf8 = text::is_valid_utf8(line);
  const std::string whole = is_utf8 ? std::string(line) : text::replace_invalid_utf8(line);
  std::string surrogate;
  std::optional<Json> read = Json::try_parse(with_marks(whole, "\\ufffd", surrogate));
  if (!read || !read->is_object()) return std::nullopt;
  BrokenText out;
  if (surrogate.empty()) {
    out.problem = "holds bytes that are no UTF-8";
  } else {
    // Read once more with another mark: what differs held one.
    if (const std::optional<Json> again = Json::try_parse(with_marks(whole, "\\ufffe", surrogate)))
      out.field = differing_member(*read, *again);
    out.problem = "holds the unpaired surrogate " + surrogate +
                  ", which is no text; replace it, in Python by text.encode(\"utf-8\", \"replace\").decode()";
  }
  out.value = *std::move(read);
  return out;
}

}  // namespace tritonrl::serve
