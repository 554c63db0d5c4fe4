#include "text/tokenizer/tokenizer.h"

#include <algorithm>
#include <atomic>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "text/tokenizer/added_tokens.h"
#include "text/tokenizer/nfc.h"
#include "text/tokenizer/tokenizer_json.h"
#include "text/tokenizer/utf8.h"
#include "text/tokenizer/vocabulary.h"
#include "text/tokenizer/word_cache.h"
#include "text/tokenizer/word_merger.h"
#include "text/tokenizer/word_splitter.h"

namespace tritonrl::text {
namespace {

constexpr std::size_t kLargestFile = std::size_t{1} << 28;

std::uint64_t next_number() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

// The added tokens that are looked for before normalisation, or those after it, with contents as they then read.
std::vector<AddedToken> tokens_to_match(const TokenizerParts& parts, bool normalized, const std::string& where) {
  std::unordered_map<std::string, AddedToken> by_content;
  for (AddedToken token : parts.added) {
    if (token.normalized != normalized) continue;
    std::string storage;
    if (normalized && parts.nfc) token.content = std::string(normalise_nfc(token.content, storage));
    if (!by_content.emplace(token.content, token).second) {
      throw base::UserError(
          "text", where + ": two added tokens are found by the same text `" + token.content + "`; remove one of them");
    }
  }
  std::vector<AddedToken> tokens;
  for (auto& [content, token] : by_content) tokens.push_back(std::move(token));
  return tokens;
}

}  // namespace

struct Tokenizer::Tables {
  Tables(TokenizerParts all, const std::string& where)
      : vocabulary(std::move(all), where),
        splitter(parts().split),
        merger(vocabulary.make_merger()),
        raw_tokens(tokens_to_match(parts(), /*normalized=*/false, where)),
        normalized_tokens(tokens_to_match(parts(), /*normalized=*/true, where)) {}

  const TokenizerParts& parts() const { return vocabulary.parts(); }
  void encode(std::string_view text, bool ordinary_specials, std::vector<TokenId>& out) const;
  void encode_piece(std::string_view piece, WordCache& cache, std::vector<TokenId>& out) const;
  void encode_run(std::string_view run, WordCache& cache, std::vector<TokenId>& out) const;
  void encode_word(std::string_view word, std::size_t readable, WordCache& cache, std::vector<TokenId>& out) const;
  void merge(std::string_view word, std::vector<TokenId>& out) const;

  std::uint64_t number = next_number();  // never given twice, so that a cache cannot outlive its tables unnoticed
  Vocabulary vocabulary;
  WordSplitter splitter;
  WordMerger merger;
  AddedTokenMatcher raw_tokens;
  AddedTokenMatcher normalized_tokens;
};

void Tokenizer::Tables::merge(std::string_view word, std::vector<TokenId>& out) const {
  if (parts().ignore_merges) {
    if (const std::optional<TokenId> id = vocabulary.id_of_bytes(word)) {
      out.push_back(*id);
      return;
    }
  }
  merger.append(word, out);
}

void Tokenizer::Tables::encode_word(std::string_view word, std::size_t readable, WordCache& cache,
                                    std::vector<TokenId>& out) const {
  if (word.size() > WordCache::kLongestWord) {
    merge(word, out);
    return;
  }
  const WordCache::Key key(word, readable);
  WordCache::Entry& entry = cache.place(key);
  if (entry.holds(key)) {
    out.insert(out.end(), entry.tokens, entry.tokens + entry.count);
    return;
  }
  const std::size_t begin = out.size();
  merge(word, out);
  entry.keep(key, std::span(out).subspan(begin));
}

void Tokenizer::Tables::encode_run(std::string_view run, WordCache& cache, std::vector<TokenId>& out) const {
  std::string prefixed;
  if (parts().add_prefix_space && run[0] != ' ') run = prefixed.append(1, ' ').append(run);
  const char* const end = run.data() + run.size();
  splitter.split(
      run, [&](std::string_view word) { encode_word(word, static_cast<std::size_t>(end - word.data()), cache, out); });
}

void Tokenizer::Tables::encode_piece(std::string_view piece, WordCache& cache, std::vector<TokenId>& out) const {
  splitter.cut_digits(piece, [&](std::string_view run) { encode_run(run, cache, out); });
}

void Tokenizer::Tables::encode(std::string_view text, bool ordinary_specials, std::vector<TokenId>& out) const {
  std::string repaired;
  if (!is_valid_utf8(text)) text = repaired = replace_invalid_utf8(text);
  out.reserve(text.size() / 3 + 8);
  WordCache& cache = WordCache::of(number);
  const auto found = [&out](TokenId id) { out.push_back(id); };
  raw_tokens.cut(
      text, ordinary_specials,
      [&](std::string_view piece) {
        std::string normalized;
        if (parts().nfc) piece = normalise_nfc(piece, normalized);
        normalized_tokens.cut(
            piece, ordinary_specials, [&](std::string_view rest) { encode_piece(rest, cache, out); }, found);
      },
      found);
}

Tokenizer::Tokenizer(std::shared_ptr<const Tables> tables) : tables_(std::move(tables)) {}

Tokenizer Tokenizer::from_file(const std::filesystem::path& path) {
  return from_json(base::read_file(path, kLargestFile), path.string());
}

Tokenizer Tokenizer::from_json(std::string_view json, const std::string& where) {
  return from_parts(parse_tokenizer_json(json, where), where);
}

Tokenizer Tokenizer::from_parts(TokenizerParts parts, const std::string& where) {
  return Tokenizer(std::make_shared<const Tables>(std::move(parts), where));
}

std::vector<TokenId> Tokenizer::encode(std::string_view text) const {
  std::vector<TokenId> ids;
  tables_->encode(text, /*ordinary_specials=*/false, ids);
  return ids;
}

std::vector<TokenId> Tokenizer::encode_from_start(std::string_view text) const {
  std::vector<TokenId> ids = encode(text);
  const std::vector<TokenId>& before = parts().before_text;
  const bool has_it = ids.size() >= before.size() && std::equal(before.begin(), before.end(), ids.begin());
  if (!has_it) ids.insert(ids.begin(), before.begin(), before.end());
  return ids;
}

std::vector<TokenId> Tokenizer::encode_ordinary(std::string_view text) const {
  std::vector<TokenId> ids;
  tables_->encode(text, /*ordinary_specials=*/true, ids);
  return ids;
}

std::string Tokenizer::decode(std::span<const TokenId> ids, bool skip_special) const {
  std::string bytes;
  for (const TokenId id : ids) {
    if (!(skip_special && is_special(id))) bytes += bytes_of(id);
  }
  return bytes;
}

std::string_view Tokenizer::bytes_of(TokenId id) const {
  return tables_->vocabulary.bytes_of(id);
}

std::optional<TokenId> Tokenizer::id_of(std::string_view token) const {
  return tables_->vocabulary.id_of(token);
}

bool Tokenizer::is_special(TokenId id) const {
  return tables_->vocabulary.is_special(id);
}

int Tokenizer::size() const {
  return tables_->vocabulary.size();
}

const TokenizerParts& Tokenizer::parts() const {
  return tables_->parts();
}

}  // namespace tritonrl::text
