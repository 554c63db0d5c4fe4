#include "text/tagged_blocks.h"

#include <array>

#include "text/chars.h"

namespace tritonrl::text {
namespace {

struct BlockTag {
  std::string_view open;  // in lower case; attributes may follow a name without '>' or ']'
  std::string_view close;
};
constexpr std::array<BlockTag, 5> kTags = {{
    {"<code", "</code>"},
    {"<pre", "</pre>"},
    {"<python", "</python>"},
    {"[python]", "[/python]"},
    {"[code]", "[/code]"},
}};
constexpr std::size_t kLongestTag = 80;

// The length of `tag` at the front of `text` with its attributes, 0 if it is not there.
std::size_t open_length(std::string_view text, const BlockTag& tag) {
  if (!starts_with_ignoring_case(text, tag.open)) return 0;
  if (tag.open.ends_with(']')) return tag.open.size();
  text = text.substr(0, kLongestTag);
  if (text.size() == tag.open.size() || is_word(text[tag.open.size()])) return 0;
  std::size_t end = text.find_first_of(">\n", tag.open.size());
  return end != std::string_view::npos && text[end] == '>' ? end + 1 : 0;
}

}  // namespace

std::vector<CodeBlock> find_tagged_blocks(std::string_view text) {
  std::vector<CodeBlock> blocks;
  const BlockTag* inside = nullptr;
  std::size_t begin = 0;
  auto add = [&](std::size_t end, bool closed) {
    std::string_view code = text.substr(begin, end - begin);
    if (trim(code).find('\n') == std::string_view::npos) return;
    blocks.push_back({.language = "", .code = std::string(code), .closed = closed});
  };
  for (std::size_t i = text.find_first_of("<["); i != std::string_view::npos; i = text.find_first_of("<[", i)) {
    std::string_view rest = text.substr(i);
    if (inside != nullptr && starts_with_ignoring_case(rest, inside->close)) {
      add(i, true);
      i += inside->close.size();
      inside = nullptr;
      continue;
    }
    std::size_t length = 0;
    for (const BlockTag& tag : kTags) {
      length = open_length(rest, tag);
      if (length == 0) continue;
      // A tag inside a tag, as in <pre><code>: the inner one holds the code.
      inside = &tag;
      begin = i + length;
      break;
    }
    i += length > 0 ? length : 1;
  }
  if (inside != nullptr) add(text.size(), false);
  return blocks;
}

}  // namespace tritonrl::text
