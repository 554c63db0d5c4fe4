#include "rl/plan_tokens.h"

#include <string>

#include "text/tokenizer/stream_decoder.h"

namespace tritonrl::rl {
namespace {

// Where code begins in a text that may still grow; npos: nowhere yet.
std::size_t begin_of_code(const std::string& text) {
  std::size_t line = 0;
  while (line < text.size()) {
    const std::size_t first = text.find_first_not_of(" \t\r\n", line);
    if (first == std::string::npos) return std::string::npos;
    if (text[first] != '#' && text[first] != '`') return first;  // a fence may be around the whole
    const std::size_t end = text.find('\n', first);
    if (end == std::string::npos) return std::string::npos;
    line = end + 1;
  }
  return std::string::npos;
}

}  // namespace

std::int64_t plan_tokens(const text::Tokenizer& tokenizer, std::span<const std::int32_t> answer) {
  text::StreamDecoder decoder(tokenizer);
  std::string text;
  for (std::size_t i = 0; i < answer.size(); ++i) {
    text += decoder.add(answer[i]);
    const std::size_t code = begin_of_code(text);
    if (code != std::string::npos) return text.find('#') < code ? static_cast<std::int64_t>(i) : 0;
  }
  return 0;
}

}  // namespace tritonrl::rl
