#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/tokenizer/tokenizer_parts.h"
#include "text/tokenizer/word_merger.h"

namespace tritonrl::text {

// The checked parts of a tokenizer, with lookups both ways between tokens and ids.
class Vocabulary {
 public:
  // UserError if the parts contradict each other; `where` names their origin.
  Vocabulary(TokenizerParts parts, const std::string& where);
  Vocabulary(const Vocabulary&) = delete;  // the lookups point into parts_
  Vocabulary& operator=(const Vocabulary&) = delete;

  const TokenizerParts& parts() const { return parts_; }
  int size() const { return static_cast<int>(starts_.size()) - 1; }  // one more than the largest id
  bool is_special(TokenId id) const { return has(id) && special_[static_cast<std::size_t>(id)]; }
  std::string_view bytes_of(TokenId id) const;
  std::optional<TokenId> id_of(std::string_view token) const;        // as written, added tokens included
  std::optional<TokenId> id_of_bytes(std::string_view bytes) const;  // of the model's own tokens

  WordMerger make_merger() const;

 private:
  bool has(TokenId id) const { return id >= 0 && id < size(); }
  void take_model_tokens();
  void take_added_tokens();
  void fill_bytes();
  [[noreturn]] void refuse(const std::string& message) const;
  TokenId model_token(const std::string& token, const std::string& field) const;

  TokenizerParts parts_;
  std::string where_;
  std::unordered_map<std::string_view, TokenId> model_ids_;     // into parts_
  std::unordered_map<std::string_view, TokenId> added_ids_;     // into parts_
  std::unordered_map<std::string_view, TokenId> ids_by_bytes_;  // into bytes_; only if ignore_merges wants it
  std::string bytes_;                                           // of all tokens, one after the other
  std::vector<std::uint32_t> starts_;                           // by id, and one more for the end
  std::vector<bool> special_;
};

}  // namespace tritonrl::text
