#include "data/prepare/code_signature.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "base/hash64.h"
#include "text/python_names.h"
#include "text/python_tokens.h"

namespace tritonrl::data {
namespace {

using base::hash64;
using base::mix64;
using text::PythonToken;

constexpr std::size_t kRun = 4;
constexpr std::size_t kLeastTokens = 40;  // below, one changed token changes too large a share
constexpr std::uint64_t kOwnName = 1, kText = 2;

bool is_arithmetic(std::string_view symbol) {
  return symbol.find_first_of("+-*/%@<>&|^~!") != std::string_view::npos && symbol != "->";
}

// The names that stand in import statements, which are of others, and the places of all words there.
struct Imports {
  std::unordered_set<std::string_view> names;
  std::unordered_set<std::size_t> places;
};
Imports imports_of(const std::vector<PythonToken>& tokens) {
  Imports imports;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].text != "import" && tokens[i].text != "from") continue;
    imports.places.insert(i);
    // Up to the first token that no import can hold.
    for (std::size_t j = i + 1; j < tokens.size(); ++j) {
      const std::string_view text = tokens[j].text;
      const bool follows_name = tokens[j - 1].kind == PythonToken::Kind::kName && tokens[j - 1].text != "import" &&
                                tokens[j - 1].text != "as" && tokens[j - 1].text != "from";
      if (tokens[j].kind == PythonToken::Kind::kName
              ? follows_name && text != "import" && text != "as"
              : text != "." && text != "," && text != "*" && text != "(" && text != ")")
        break;
      if (tokens[j].kind == PythonToken::Kind::kName) imports.names.insert(text);
      imports.places.insert(j);
    }
  }
  return imports;
}

// Each token with what its author chose left out.
std::vector<std::uint64_t> plain_tokens(std::string_view code, const std::vector<PythonToken>& tokens,
                                        std::uint64_t& calls) {
  const text::PythonNames names = text::python_names(code);
  const Imports imports = imports_of(tokens);
  std::vector<std::uint64_t> plain;
  plain.reserve(tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const PythonToken& token = tokens[i];
    if (token.kind == PythonToken::Kind::kString) {
      plain.push_back(kText);
      continue;
    }
    const bool attribute = i > 0 && tokens[i - 1].text == ".";
    const bool own = token.kind == PythonToken::Kind::kName &&
                     (attribute ? i > 1 && tokens[i - 2].text == "self"
                                : names.bound.contains(token.text) && !imports.names.contains(token.text));
    plain.push_back(own ? kOwnName : hash64(token.text));
    if (!own && (token.kind == PythonToken::Kind::kName ? !imports.places.contains(i) : is_arithmetic(token.text)))
      calls = mix64(calls ^ plain.back());
  }
  return plain;
}

}  // namespace

CodeSignature code_signature(std::string_view code) {
  const std::vector<PythonToken> tokens = text::python_tokens(code);
  CodeSignature signature;
  for (const PythonToken& token : tokens) signature.exact = hash64(token.text, signature.exact);
  const std::vector<std::uint64_t> plain = plain_tokens(code, tokens, signature.calls);
  signature.comparable = tokens.size() >= kLeastTokens;
  if (!signature.comparable) return signature;
  signature.smallest.fill(std::numeric_limits<std::uint32_t>::max());
  for (std::size_t i = 0; i + kRun <= plain.size(); ++i) {
    std::uint64_t run = 0;
    for (std::size_t k = 0; k < kRun; ++k) run = mix64(run ^ plain[i + k]);
    for (std::size_t k = 0; k < signature.smallest.size(); ++k) {
      // Odd multipliers permute; the upper half is the well mixed one.
      const auto hash = static_cast<std::uint32_t>(((run ^ (run >> 29)) * (2 * mix64(k) + 1)) >> 32);
      signature.smallest[k] = std::min(signature.smallest[k], hash);
    }
  }
  return signature;
}

std::array<std::uint64_t, CodeSignature::kBands> CodeSignature::band_keys() const {
  std::array<std::uint64_t, kBands> keys{};
  for (int band = 0; band < kBands; ++band) {
    std::uint64_t key = mix64(calls ^ static_cast<std::uint64_t>(band));
    for (int row = 0; row < kRows; ++row) key = mix64(key ^ smallest[static_cast<std::size_t>(band * kRows + row)]);
    keys[static_cast<std::size_t>(band)] = key;
  }
  return keys;
}

double similarity(const CodeSignature& a, const CodeSignature& b) {
  if (!a.comparable || !b.comparable || a.calls != b.calls) return 0;
  int equal = 0;
  for (std::size_t i = 0; i < a.smallest.size(); ++i) equal += a.smallest[i] == b.smallest[i] ? 1 : 0;
  return static_cast<double>(equal) / static_cast<double>(a.smallest.size());
}

}  // namespace tritonrl::data
