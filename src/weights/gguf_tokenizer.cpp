#include <string>

#include "weights/gguf_model.h"
#include "weights/model_config_bounds.h"

namespace tritonrl::weights {
namespace {

enum class TokenType : std::int64_t { kControl = 3, kUserDefined = 4 };

void read_split(const GgufFile& file, text::TokenizerParts& parts) {
  if (const std::string_view model = file.text("tokenizer.ggml.model"); model != "gpt2") {
    file.fail("has a tokenizer of kind \"" + shown(model) + "\"; supported is gpt2 (byte-level BPE)");
  }
  const std::string_view pre = file.text("tokenizer.ggml.pre");
  if (pre == "qwen2") {
    parts.split = text::Split::kQwen2;
    parts.nfc = true;
  } else if (pre == "smollm") {
    parts.split = text::Split::kGpt2Digits;
  } else if (pre == "gpt-2") {
    parts.split = text::Split::kGpt2;
  } else if (pre == "llama-bpe") {
    parts.split = text::Split::kLlama3;
    parts.ignore_merges = true;
  } else {
    file.fail("splits text as \"" + shown(pre) +
              "\" does (tokenizer.ggml.pre); supported are qwen2, smollm, gpt-2 and llama-bpe");
  }
}

// What a text begins with. Files of Llama 3 may leave it out and mean it, as llama.cpp reads them.
void read_beginning(const GgufFile& file, text::TokenizerParts& parts) {
  constexpr const char *kAdds = "tokenizer.ggml.add_bos_token", *kToken = "tokenizer.ggml.bos_token_id";
  const bool adds = file.has(kAdds) ? file.boolean(kAdds) : parts.split == text::Split::kLlama3;
  if (!adds || !file.has(kToken)) return;
  const std::int64_t id = file.integer(kToken);
  if (id < 0 || id >= static_cast<std::int64_t>(parts.vocabulary.size()))
    file.fail("has " + std::to_string(id) + " as the token that texts begin with, which is none of its tokens");
  parts.before_text = {static_cast<text::TokenId>(id)};
}

}  // namespace

text::TokenizerParts gguf_tokenizer_parts(const GgufFile& file) {
  text::TokenizerParts parts;
  read_split(file, parts);
  if (file.has("tokenizer.ggml.add_space_prefix")) {
    parts.add_prefix_space = file.boolean("tokenizer.ggml.add_space_prefix");
  }
  const std::vector<std::string_view> tokens = file.texts("tokenizer.ggml.tokens");
  if (tokens.empty() || tokens.size() > static_cast<std::size_t>(kLargestVocabulary)) {
    file.fail("has " + std::to_string(tokens.size()) + " tokens");
  }
  std::vector<std::int64_t> types;
  if (file.has("tokenizer.ggml.token_type")) types = file.integers("tokenizer.ggml.token_type");
  if (!types.empty() && types.size() != tokens.size()) file.fail("has another number of token types than of tokens");
  parts.vocabulary.resize(tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::int64_t type = types.empty() ? 1 : types[i];
    const bool control = type == static_cast<std::int64_t>(TokenType::kControl);
    if (control || type == static_cast<std::int64_t>(TokenType::kUserDefined)) {
      parts.added.push_back(
          {.id = static_cast<text::TokenId>(i), .content = std::string(tokens[i]), .special = control});
    } else {
      parts.vocabulary[i] = tokens[i];
    }
  }
  for (const std::string_view merge : file.texts("tokenizer.ggml.merges")) {
    const std::size_t space = merge.find(' ');
    if (space == std::string_view::npos || space == 0 || space + 1 == merge.size() ||
        merge.find(' ', space + 1) != std::string_view::npos) {
      file.fail("has a merge \"" + shown(merge) + "\" that is not two tokens");
    }
    parts.merges.emplace_back(merge.substr(0, space), merge.substr(space + 1));
  }
  read_beginning(file, parts);
  return parts;
}

}  // namespace tritonrl::weights
