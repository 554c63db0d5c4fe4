#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer/tokenizer_parts.h"

namespace tritonrl::text {

// Byte-level BPE, token for token what Hugging Face's `tokenizers` gives for the same file. Cheap to copy, shares its
// tables; all methods are const and may be called from many threads.
class Tokenizer {
 public:
  // `tokenizer.json`. UserError names the file and the field if it is malformed or asks for a step that is not built.
  // `truncation` and `padding` in the file are left aside; of `post_processor` what a text begins with is kept.
  static Tokenizer from_file(const std::filesystem::path& path);
  // The text of such a file; `where` names it in errors.
  static Tokenizer from_json(std::string_view json, const std::string& where);
  // Parts from elsewhere (GGUF metadata, our trainer). `where` names their origin in errors.
  static Tokenizer from_parts(TokenizerParts parts, const std::string& where);

  // Ids of the text as it is: nothing is put before or after it. Added tokens inside the text are recognised, as
  // Hugging Face does with add_special_tokens=False. Invalid UTF-8 is replaced by U+FFFD first.
  std::vector<TokenId> encode(std::string_view text) const;
  // The same behind what the tokenizer's template puts before a text (BOS), as Hugging Face does on its own; not a
  // second time where the text begins with it.
  std::vector<TokenId> encode_from_start(std::string_view text) const;
  // As encode(), but text that looks like a special token is ordinary text: for words of a user inside a prompt.
  std::vector<TokenId> encode_ordinary(std::string_view text) const;

  // Exact bytes: decode(encode(x)) == x for valid UTF-8 in NFC form, unless added tokens took whitespace or bytes are
  // not in the vocabulary. Ids outside the vocabulary give nothing. Hugging Face gives the same with invalid bytes
  // replaced, but garbles added tokens of Latin letters beyond ASCII.
  std::string decode(std::span<const TokenId> ids, bool skip_special = false) const;
  // The bytes that one token stands for.
  std::string_view bytes_of(TokenId id) const;

  std::optional<TokenId> id_of(std::string_view token) const;  // as written in the file, added tokens included
  bool is_special(TokenId id) const;
  int size() const;  // one more than the largest id

  const TokenizerParts& parts() const;

 private:
  struct Tables;
  explicit Tokenizer(std::shared_ptr<const Tables> tables);
  std::shared_ptr<const Tables> tables_;
};

}  // namespace tritonrl::text
