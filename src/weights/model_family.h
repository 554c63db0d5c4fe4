#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "weights/model_config.h"

namespace tritonrl::weights {

// What files say of a family of models, and what they leave to be known. Which modules its blocks have follows from
// the config (block_modules.h).
struct ModelFamily {
  const char* type;  // config.json's model_type, and general.architecture of a GGUF file
  const char* name;  // "Qwen2": its class in transformers is Qwen2ForCausalLM
  ModelConfig defaults;

  // config.json
  std::optional<std::int64_t> bos_token_id = {}, eos_token_id = {};  // where it does not name them
  bool has_attention_bias = false;                                   // says whether q, k, v and o have biases
  bool has_mlp_bias = false;
  bool has_windows = false;   // may ask for attention over sliding windows
  bool has_head_dim = false;  // lists head_dim; otherwise it is written only where it must be

  // llama.cpp turns neighbouring elements of a head where transformers turns its halves: its converter weaves the rows
  // of q and k for that. Not for families whose halves it turns as well.
  bool gguf_weaves_heads = false;

  std::string class_name() const { return std::string(name) + "ForCausalLM"; }
};

std::span<const ModelFamily> model_families();
const ModelFamily& family_of(const ModelConfig& config);
const ModelFamily* family_of_type(std::string_view type);  // null: none of ours

}  // namespace tritonrl::weights
