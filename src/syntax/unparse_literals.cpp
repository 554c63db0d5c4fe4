#include "syntax/unparse_literals.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "syntax/unparse_printable.h"

namespace tritonrl::syntax {
namespace {

constexpr char kHex[] = "0123456789abcdef";

void append_hex(char32_t value, int digits, std::string& out) {
  for (int i = digits - 1; i >= 0; --i) out += kHex[value >> (4 * i) & 15];
}

void append_escape(char32_t character, std::string& out) {
  out += '\\';
  switch (character) {
    case '\n':
      out += 'n';
      return;
    case '\r':
      out += 'r';
      return;
    case '\t':
      out += 't';
      return;
    case '\\':
      out += '\\';
      return;
    default:
      break;
  }
  if (character < 0x100) {
    out += 'x';
    append_hex(character, 2, out);
  } else if (character < 0x10000) {
    out += 'u';
    append_hex(character, 4, out);
  } else {
    out += 'U';
    append_hex(character, 8, out);
  }
}

// The length of the character at the front of a text, whose first byte is not ASCII; bytes that are no UTF-8 stand for
// themselves.
std::size_t decode(std::string_view text, char32_t& character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : byte(0) >= 0xc0 ? 2 : 1;
  character = byte(0);
  if (length == 1 || length > text.size()) return 1;
  character = byte(0) & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) character = character << 6 | (byte(i) & 0x3fu);
  return length;
}

// The text with escapes for what must not stand in a literal.
void append_escaped(std::string_view text, char quote, bool escape_white, std::string& out) {
  for (std::size_t i = 0; i < text.size();) {
    const char byte = text[i];
    if (static_cast<unsigned char>(byte) < 0x80) {
      ++i;
      if (byte == quote && quote != '\0') {
        out += '\\';
        out += byte;
      } else if (!escape_white && (byte == '\n' || byte == '\t')) {
        out += byte;
      } else if (byte == '\\' || byte < 0x20 || byte == 0x7f) {
        append_escape(static_cast<unsigned char>(byte), out);
      } else {
        out += byte;
      }
      continue;
    }
    char32_t character = 0;
    const std::size_t length = decode(text.substr(i), character);
    if (is_printable(character)) {
      out += text.substr(i, length);
    } else {
      append_escape(character, out);
    }
    i += length;
  }
}

char repr_quote(std::string_view text) {
  const bool single = text.find('\'') != std::string_view::npos;
  return single && text.find('"') == std::string_view::npos ? '"' : '\'';
}

// As `repr` of a float, with or without the ".0" of whole numbers.
void append_digits(double value, bool point, std::string& out) {
  std::array<char, 32> buffer;
  const auto written =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::abs(value), std::chars_format::scientific);
  const std::string_view text(buffer.data(), static_cast<std::size_t>(written.ptr - buffer.data()));
  const std::size_t e = text.find('e');
  std::string digits(1, text[0]);
  if (e > 2) digits += text.substr(2, e - 2);
  int exponent = 0;
  std::from_chars(text.data() + e + (text[e + 1] == '+' ? 2 : 1), text.data() + text.size(), exponent);

  if (std::signbit(value)) out += '-';
  const int count = static_cast<int>(digits.size());
  if (exponent < -4 || exponent >= 16) {
    out += digits[0];
    if (count > 1) (out += '.') += std::string_view(digits).substr(1);
    out += 'e';
    out += exponent < 0 ? '-' : '+';
    const int size = std::abs(exponent);
    if (size < 10) out += '0';
    out += std::to_string(size);
  } else if (exponent < 0) {
    out += "0.";
    out.append(static_cast<std::size_t>(-exponent - 1), '0');
    out += digits;
  } else if (count <= exponent + 1) {
    out += digits;
    out.append(static_cast<std::size_t>(exponent + 1 - count), '0');
    if (point) out += ".0";
  } else {
    const auto whole = static_cast<std::size_t>(exponent + 1);
    out += std::string_view(digits).substr(0, whole);
    (out += '.') += std::string_view(digits).substr(whole);
  }
}

void append_number(double value, bool point, std::string& out) {
  constexpr std::string_view kInfinity = "1e309";  // the first power of ten beyond all doubles
  if (std::isnan(value)) {
    ((((out += '(') += kInfinity) += '-') += kInfinity) += ')';
  } else if (std::isinf(value)) {
    if (value < 0) out += '-';
    out += kInfinity;
  } else {
    append_digits(value, point, out);
  }
}

}  // namespace

void append_text_repr(std::string_view text, std::string& out) {
  const char quote = repr_quote(text);
  out += quote;
  append_escaped(text, quote, /*escape_white=*/true, out);
  out += quote;
}

void append_bytes_repr(std::string_view bytes, std::string& out) {
  const char quote = repr_quote(bytes);
  (out += 'b') += quote;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == quote) {
      (out += '\\') += c;
    } else if (c == '\\' || byte < 0x20 || byte >= 0x7f) {
      append_escape(byte, out);
    } else {
      out += c;
    }
  }
  out += quote;
}

void append_real(double value, std::string& out) {
  append_number(value, /*point=*/true, out);
}

void append_imaginary(double value, std::string& out) {
  append_number(value, /*point=*/false, out);
  out += 'j';
}

std::string decimal_from_digits(std::string_view digits, unsigned base) {
  constexpr std::uint32_t kLimb = 1'000'000'000;
  std::vector<std::uint32_t> limbs = {0};  // the lowest first
  for (const char c : digits) {
    std::uint64_t carry = static_cast<unsigned>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    for (std::uint32_t& limb : limbs) {
      carry += std::uint64_t{limb} * base;
      limb = static_cast<std::uint32_t>(carry % kLimb);
      carry /= kLimb;
    }
    if (carry != 0) limbs.push_back(static_cast<std::uint32_t>(carry));
  }
  std::string out = std::to_string(limbs.back());
  for (std::size_t i = limbs.size() - 1; i-- > 0;) {
    const std::string part = std::to_string(limbs[i]);
    out.append(9 - part.size(), '0');
    out += part;
  }
  return out;
}

Quoted quote(std::string_view text, const std::vector<std::string_view>& allowed, bool escape_white) {
  Quoted out;
  append_escaped(text, '\0', escape_white, out.inside);
  const bool lines = out.inside.find('\n') != std::string::npos;
  for (const std::string_view quote : allowed) {
    if ((!lines || quote.size() == 3) && out.inside.find(quote) == std::string::npos) out.quotes.push_back(quote);
  }
  if (out.quotes.empty()) {
    const char mark = repr_quote(text);
    out.inside.clear();
    append_escaped(text, mark, /*escape_white=*/true, out.inside);
    const auto fitting = std::find_if(allowed.begin(), allowed.end(), [&](auto quote) { return quote[0] == mark; });
    out.quotes.push_back(fitting != allowed.end() ? *fitting : mark == '"' ? kAllQuotes[1] : kAllQuotes[0]);
    return out;
  }
  if (out.inside.empty()) return out;
  const char last = out.inside.back();
  std::stable_partition(out.quotes.begin(), out.quotes.end(), [&](auto quote) { return quote[0] != last; });
  if (out.quotes.front()[0] == last) out.inside.insert(out.inside.size() - 1, 1, '\\');
  return out;
}

void append_quoted(std::string_view text, const std::vector<std::string_view>& allowed, std::string& out) {
  const Quoted quoted = quote(text, allowed, /*escape_white=*/false);
  ((out += quoted.quotes.front()) += quoted.inside) += quoted.quotes.front();
}

}  // namespace tritonrl::syntax
