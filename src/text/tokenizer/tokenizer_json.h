#pragma once

#include <string>
#include <string_view>

#include "text/tokenizer/tokenizer_parts.h"

namespace tritonrl::text {

// Reads the text of a tokenizer.json. UserError names `where` and the field if it is malformed or asks for a step that
// is not built: another step would give other ids.
TokenizerParts parse_tokenizer_json(std::string_view json, const std::string& where);

// A tokenizer.json that Hugging Face's `tokenizers` and parse_tokenizer_json read back to the same parts.
std::string tokenizer_json(const TokenizerParts& parts);

struct TokenizerConfig {
  std::string eos_token = {};        // ends an answer; must be one of the tokens
  std::string pad_token = {};        // empty: the same as eos_token
  std::string chat_template = {};    // Jinja; empty: none
  int model_max_length = 1'000'000;  // tokens
};
// A tokenizer_config.json with which transformers' AutoTokenizer loads the tokenizer.json beside it.
std::string tokenizer_config_json(const TokenizerConfig& config);

// The patterns by which tokenizer.json names a split.
std::string_view split_pattern(Split split);

}  // namespace tritonrl::text
