#include "cli/terminal_text.h"

#include <unistd.h>

#include <iostream>

#include "text/tokenizer/utf8.h"

namespace tritonrl::cli {
namespace {

bool is_control(char32_t c) {
  return (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7F && c < 0xA0);
}

// Calls `on_text` with runs that may be shown and `on_binary` for each part between them, which may stop by false.
template <class OnText, class OnBinary>
void walk(std::string_view text, const OnText& on_text, const OnBinary& on_binary) {
  while (!text.empty()) {
    const text::Utf8Start start = text::look_at_utf8(text);
    const bool good =
        start.kind == text::Utf8Start::Kind::kCharacter && !is_control(text::decode_valid_utf8(text.data()).value);
    const std::string_view part = text.substr(0, static_cast<std::size_t>(start.length));
    if (good) {
      on_text(part);
    } else if (!on_binary()) {
      return;
    }
    text.remove_prefix(part.size());
  }
}

}  // namespace

bool stdout_is_terminal() {
  return ::isatty(STDOUT_FILENO) == 1;
}

bool is_binary(std::string_view text) {
  bool found = false;
  walk(
      text, [](std::string_view) {},
      [&] {
        found = true;
        return false;
      });
  return found;
}

std::string without_binary(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  walk(
      text, [&](std::string_view part) { out += part; },
      [&] {
        out += "\xEF\xBF\xBD";
        return true;
      });
  return out;
}

void print(std::string_view text) {
  if (stdout_is_terminal() && is_binary(text)) {
    std::cout << without_binary(text);
  } else {
    std::cout << text;
  }
}

}  // namespace tritonrl::cli
