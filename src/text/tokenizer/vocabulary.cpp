#include "text/tokenizer/vocabulary.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "text/tokenizer/byte_alphabet.h"
#include "text/tokenizer/nfc.h"
#include "text/tokenizer/utf8.h"

namespace tritonrl::text {
namespace {

constexpr std::size_t kMostIds = std::size_t{1} << 26;
constexpr std::size_t kMostBytes = std::size_t{1} << 31;

}  // namespace

Vocabulary::Vocabulary(TokenizerParts parts, const std::string& where) : parts_(std::move(parts)), where_(where) {
  if (parts_.add_prefix_space && parts_.split != Split::kGpt2 && parts_.split != Split::kGpt2Digits) {
    refuse("add_prefix_space is not supported with this split pattern");
  }
  take_model_tokens();
  take_added_tokens();
  fill_bytes();
}

void Vocabulary::refuse(const std::string& message) const {
  throw base::UserError("text", where_ + ": " + message);
}

void Vocabulary::take_model_tokens() {
  if (parts_.vocabulary.size() > kMostIds) refuse("the vocabulary has too many ids");
  model_ids_.reserve(parts_.vocabulary.size());
  for (std::size_t id = 0; id < parts_.vocabulary.size(); ++id) {
    const std::string& token = parts_.vocabulary[id];
    if (token.empty()) continue;
    const auto [other, is_new] = model_ids_.emplace(token, static_cast<TokenId>(id));
    if (!is_new) {
      refuse("the vocabulary has the token `" + token + "` twice, as " + std::to_string(other->second) + " and " +
             std::to_string(id));
    }
  }
}

void Vocabulary::take_added_tokens() {
  std::unordered_map<TokenId, std::string_view> contents;
  std::size_t size = parts_.vocabulary.size();
  for (const AddedToken& token : parts_.added) {
    const std::string name = "the added token `" + token.content + "`";
    if (token.content.empty()) refuse("an added token with id " + std::to_string(token.id) + " has no content");
    if (!is_valid_utf8(token.content)) refuse(name + " is not UTF-8");
    if (token.id < 0 || static_cast<std::size_t>(token.id) >= kMostIds) {
      refuse(name + " has the id " + std::to_string(token.id) + ", which is out of range");
    }
    const auto model_id = model_ids_.find(token.content);
    if (model_id != model_ids_.end() && model_id->second != token.id) {
      refuse(name + " has the id " + std::to_string(token.id) + ", but the vocabulary says " +
             std::to_string(model_id->second));
    }
    const std::size_t index = static_cast<std::size_t>(token.id);
    if (model_id == model_ids_.end() && index < parts_.vocabulary.size() && !parts_.vocabulary[index].empty()) {
      refuse(name + " has the id " + std::to_string(token.id) + ", which is the vocabulary's `" +
             parts_.vocabulary[index] + "`");
    }
    if (!added_ids_.emplace(token.content, token.id).second) refuse(name + " is there twice");
    const auto [other, is_new] = contents.emplace(token.id, token.content);
    if (!is_new) refuse(name + " has the same id as `" + std::string(other->second) + "`");
    size = std::max(size, index + 1);
  }
  special_.resize(size);
  for (const AddedToken& token : parts_.added) special_[static_cast<std::size_t>(token.id)] = token.special;
}

void Vocabulary::fill_bytes() {
  std::vector<std::string> written(special_.size());
  for (const AddedToken& token : parts_.added) {
    std::string storage;  // a token that is found in normalised text stands for normalised text
    const bool normalise = parts_.nfc && token.normalized;
    written[static_cast<std::size_t>(token.id)] = normalise ? normalise_nfc(token.content, storage) : token.content;
  }
  starts_.reserve(special_.size() + 1);
  for (std::size_t id = 0; id < special_.size(); ++id) {
    starts_.push_back(static_cast<std::uint32_t>(bytes_.size()));
    if (id < parts_.vocabulary.size() && !parts_.vocabulary[id].empty()) {
      const std::string& token = parts_.vocabulary[id];
      bytes_ += from_byte_alphabet(token).value_or(token);
    } else {
      bytes_ += written[id];
    }
    if (bytes_.size() > kMostBytes) refuse("the vocabulary has too many bytes");
  }
  starts_.push_back(static_cast<std::uint32_t>(bytes_.size()));
  if (!parts_.ignore_merges) return;
  for (std::size_t id = 0; id < parts_.vocabulary.size(); ++id) {
    // Tokens outside the byte alphabet never equal a word: words are written in it.
    if (parts_.vocabulary[id].empty() || !from_byte_alphabet(parts_.vocabulary[id])) continue;
    ids_by_bytes_.emplace(bytes_of(static_cast<TokenId>(id)), static_cast<TokenId>(id));
  }
}

std::string_view Vocabulary::bytes_of(TokenId id) const {
  if (!has(id)) return {};
  const std::size_t index = static_cast<std::size_t>(id);
  return std::string_view(bytes_).substr(starts_[index], starts_[index + 1] - starts_[index]);
}

std::optional<TokenId> Vocabulary::id_of(std::string_view token) const {
  for (const auto* ids : {&added_ids_, &model_ids_}) {
    const auto found = ids->find(token);
    if (found != ids->end()) return found->second;
  }
  return std::nullopt;
}

std::optional<TokenId> Vocabulary::id_of_bytes(std::string_view bytes) const {
  const auto found = ids_by_bytes_.find(bytes);
  return found == ids_by_bytes_.end() ? std::nullopt : std::optional(found->second);
}

TokenId Vocabulary::model_token(const std::string& token, const std::string& field) const {
  const auto found = model_ids_.find(token);
  if (found == model_ids_.end()) refuse(field + " names `" + token + "`, which is not in the vocabulary");
  return found->second;
}

WordMerger Vocabulary::make_merger() const {
  WordMerger::Bytes bytes;
  for (std::size_t byte = 0; byte < 256; ++byte) {
    const auto found = model_ids_.find(byte_alphabet()[byte]);
    if (found != model_ids_.end()) bytes.ids[byte] = found->second;
  }
  if (!parts_.unknown_token.empty()) bytes.unknown = model_token(parts_.unknown_token, "the unknown token");
  bytes.fuse_unknown = parts_.fuse_unknown;

  MergeTable merges(parts_.merges.size());
  for (std::size_t rank = 0; rank < parts_.merges.size(); ++rank) {
    const auto& [left, right] = parts_.merges[rank];
    const std::string field = "merge " + std::to_string(rank);
    const TokenId merged = model_token(left + right, field);
    merges.set(model_token(left, field), model_token(right, field), {static_cast<std::uint32_t>(rank), merged});
  }
  return WordMerger(bytes, std::move(merges));
}

}  // namespace tritonrl::text
