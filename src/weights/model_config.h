#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weights/dtype.h"

namespace tritonrl::weights {

enum class Architecture { kQwen2, kLlama, kQwen3 };

struct RopeScaling {
  enum class Kind { kNone, kLinear, kLlama3 };
  Kind kind = Kind::kNone;
  double factor = 1;
  double low_freq_factor = 1;                 // llama3
  double high_freq_factor = 4;                // llama3
  std::int64_t original_max_position = 8192;  // llama3
};

// Everything that the shape of a model needs; the meaning of each field is that of transformers' config.json.
struct ModelConfig {
  Architecture architecture = Architecture::kLlama;
  std::int64_t vocab_size = 0;
  std::int64_t hidden_size = 0;
  std::int64_t intermediate_size = 0;
  std::int64_t num_hidden_layers = 0;
  std::int64_t num_attention_heads = 0;
  std::int64_t num_key_value_heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t max_position_embeddings = 2048;
  double rms_norm_eps = 1e-6;
  double rope_theta = 10000;
  RopeScaling rope_scaling = {};
  bool tie_word_embeddings = false;
  bool qkv_bias = false;
  bool output_bias = false;  // on o_proj
  bool mlp_bias = false;
  bool head_norms = false;  // each head of q and k behind a norm, before positions are applied
  double initializer_range = 0.02;
  Dtype dtype = Dtype::kF32;  // of the stored weights
  std::optional<std::int64_t> bos_token_id = {};
  std::vector<std::int64_t> eos_token_ids = {};  // generation_config.json's where there is one

  std::int64_t parameters() const;
};

// config.json as transformers 4 and 5 write it. `where` names it in errors. UserError names the field: missing, of the
// wrong type, out of range, or asking for something that is not built (sliding windows, other rope types, quantised
// weights, another architecture or activation).
ModelConfig parse_model_config(std::string_view json, const std::string& where);
// config.json that transformers loads.
std::string model_config_json(const ModelConfig& config);

}  // namespace tritonrl::weights
