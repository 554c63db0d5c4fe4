#include "text/tokenizer/added_tokens.h"

#include <algorithm>
#include <cstring>

namespace tritonrl::text {
namespace {

using Classes = CharacterClasses;

bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

// Where the character that ends at `end` begins.
std::size_t previous_character(std::string_view text, std::size_t end) {
  do {
    --end;
  } while (end > 0 && continues_character(text[end]));
  return end;
}

std::size_t skip_spaces(std::string_view text, std::size_t at) {
  int length = 0;
  while (at < text.size() && (Classes::get().at(text.data() + at, length) & Classes::kStrippedSpace) != 0) {
    at += static_cast<std::size_t>(length);
  }
  return at;
}

std::size_t skip_spaces_back(std::string_view text, std::size_t at, std::size_t floor) {
  while (at > floor) {
    const std::size_t before = previous_character(text, at);
    int length = 0;
    if ((Classes::get().at(text.data() + before, length) & Classes::kStrippedSpace) == 0) break;
    at = before;
  }
  return at;
}

}  // namespace

AddedTokenMatcher::AddedTokenMatcher(std::vector<AddedToken> tokens) : tokens_(std::move(tokens)) {
  std::sort(tokens_.begin(), tokens_.end(),
            [](const AddedToken& a, const AddedToken& b) { return a.content < b.content; });
  for (const AddedToken& token : tokens_) first_bytes_[static_cast<unsigned char>(token.content[0])] = true;
  if (std::count(std::begin(first_bytes_), std::end(first_bytes_), true) == 1) {
    only_first_byte_ = static_cast<unsigned char>(tokens_[0].content[0]);
  }
}

// Where the next token could begin; the text's size if nowhere.
std::size_t AddedTokenMatcher::candidate(std::string_view text, std::size_t from) const {
  if (only_first_byte_ >= 0) {
    const std::size_t at = text.find(static_cast<char>(only_first_byte_), from);
    return at == std::string_view::npos ? text.size() : at;
  }
  while (from < text.size() && !first_bytes_[static_cast<unsigned char>(text[from])]) ++from;
  return from;
}

// Byte by byte, the sorted tokens that begin like the text are a range that narrows.
const AddedToken* AddedTokenMatcher::longest_at(std::string_view text, std::size_t at) const {
  auto low = tokens_.begin();
  auto high = tokens_.end();
  const AddedToken* longest = nullptr;
  for (std::size_t depth = 0; at + depth < text.size(); ++depth) {
    const unsigned char byte = static_cast<unsigned char>(text[at + depth]);
    const auto byte_of = [depth](const AddedToken& token) {  // the token that ends here sorts first
      return depth < token.content.size() ? static_cast<int>(static_cast<unsigned char>(token.content[depth])) : -1;
    };
    low = std::partition_point(low, high, [&](const AddedToken& token) { return byte_of(token) < byte; });
    high = std::partition_point(low, high, [&](const AddedToken& token) { return byte_of(token) == byte; });
    if (low == high) break;
    if (low->content.size() == depth + 1) longest = &*low;
  }
  return longest;
}

bool AddedTokenMatcher::stands_alone(std::string_view text, std::size_t begin, std::size_t end) const {
  int length = 0;
  if (begin > 0) {
    const std::size_t before = previous_character(text, begin);
    if ((Classes::get().at(text.data() + before, length) & Classes::kWord) != 0) return false;
  }
  return end == text.size() || (Classes::get().at(text.data() + end, length) & Classes::kWord) == 0;
}

bool AddedTokenMatcher::next(std::string_view text, std::size_t& searched, bool ordinary_specials, std::size_t done,
                             Match& match) const {
  while ((searched = candidate(text, searched)) < text.size()) {
    const AddedToken* const token = longest_at(text, searched);
    if (token == nullptr) {
      ++searched;
      continue;
    }
    const std::size_t begin = searched;
    const std::size_t end = begin + token->content.size();
    searched = end;  // also behind a token that is then refused
    if (ordinary_specials && token->special) continue;
    if (token->single_word && !stands_alone(text, begin, end)) continue;
    match.token = token;
    match.begin = token->strip_left ? std::max(skip_spaces_back(text, begin, done), done) : begin;
    // What the match before took reaches further if this one lies within its whitespace.
    match.end = token->strip_right ? skip_spaces(text, std::max(end, match.end)) : end;
    return true;
  }
  return false;
}

}  // namespace tritonrl::text
