#include "text/replace_names.h"

#include <cctype>

namespace tritonrl::text {

std::string replace_names(std::string_view text, const std::map<std::string, std::string, std::less<>>& names) {
  const auto in_word = [&](std::size_t at) {
    return std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_';
  };
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && in_word(end)) ++end;
    if (end == at) {
      out += text[at++];
      continue;
    }
    const std::string_view word = text.substr(at, end - at);
    const auto found = names.find(word);
    out += found == names.end() ? word : std::string_view(found->second);
    at = end;
  }
  return out;
}

}  // namespace tritonrl::text
