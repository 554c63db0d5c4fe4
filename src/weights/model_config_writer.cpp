#include "base/error.h"
#include "base/json.h"
#include "weights/model_config.h"
#include "weights/model_family.h"

namespace tritonrl::weights {
namespace {

using base::Json;

const char* dtype_name(Dtype dtype) {
  if (dtype == Dtype::kF32) return "float32";
  if (dtype == Dtype::kF16) return "float16";
  if (dtype == Dtype::kBf16) return "bfloat16";
  throw base::UserError("weights", "config.json cannot name weights of type " + std::string(safetensors_name(dtype)));
}

Json rope_scaling(const RopeScaling& scaling) {
  switch (scaling.kind) {
    case RopeScaling::Kind::kNone:
      return {{"rope_type", "default"}};
    case RopeScaling::Kind::kLinear:
      return {{"factor", scaling.factor}, {"rope_type", "linear"}};
    case RopeScaling::Kind::kLlama3:
      return {{"factor", scaling.factor},
              {"high_freq_factor", scaling.high_freq_factor},
              {"low_freq_factor", scaling.low_freq_factor},
              {"original_max_position_embeddings", scaling.original_max_position},
              {"rope_type", "llama3"}};
  }
  return {};
}

// transformers has no name for other combinations: it would load the model without some of its biases.
void check_biases(const ModelConfig& config, const ModelFamily& family) {
  const bool attention = family.has_attention_bias ? config.qkv_bias == config.output_bias
                                                   : config.qkv_bias == family.defaults.qkv_bias && !config.output_bias;
  if (!attention || (config.mlp_bias && !family.has_mlp_bias)) {
    throw base::UserError("weights", std::string("config.json of ") + family.name +
                                         " cannot say which of this model's layers have biases");
  }
}

}  // namespace

std::string model_config_json(const ModelConfig& config) {
  const ModelFamily& family = family_of(config);
  check_biases(config, family);
  Json json;
  json["architectures"] = Json::array({family.class_name()});
  if (family.has_attention_bias) json["attention_bias"] = config.qkv_bias;
  json["attention_dropout"] = 0.0;
  json["bos_token_id"] = config.bos_token_id ? Json(*config.bos_token_id) : Json(nullptr);
  json["dtype"] = dtype_name(config.dtype);
  json["torch_dtype"] = dtype_name(config.dtype);  // what transformers 4 reads
  if (config.eos_token_ids.size() == 1) {
    json["eos_token_id"] = config.eos_token_ids[0];
  } else {
    json["eos_token_id"] = config.eos_token_ids.empty() ? Json(nullptr) : Json(config.eos_token_ids);
  }
  const bool usual_head = config.head_dim * config.num_attention_heads == config.hidden_size;
  if (family.has_head_dim || !usual_head) json["head_dim"] = config.head_dim;
  json["hidden_act"] = "silu";
  json["hidden_size"] = config.hidden_size;
  json["initializer_range"] = config.initializer_range;
  json["intermediate_size"] = config.intermediate_size;
  json["max_position_embeddings"] = config.max_position_embeddings;
  if (family.has_mlp_bias) json["mlp_bias"] = config.mlp_bias;
  json["model_type"] = family.type;
  json["num_attention_heads"] = config.num_attention_heads;
  json["num_hidden_layers"] = config.num_hidden_layers;
  json["num_key_value_heads"] = config.num_key_value_heads;
  json["rms_norm_eps"] = config.rms_norm_eps;
  // Both spellings: transformers 4 reads the first two, 5 the last.
  json["rope_theta"] = config.rope_theta;
  Json rope = rope_scaling(config.rope_scaling);
  json["rope_scaling"] = config.rope_scaling.kind == RopeScaling::Kind::kNone ? Json(nullptr) : rope;
  rope["rope_theta"] = config.rope_theta;
  json["rope_parameters"] = rope;
  json["tie_word_embeddings"] = config.tie_word_embeddings;
  json["use_cache"] = true;
  if (family.has_windows) json["use_sliding_window"] = false;
  json["vocab_size"] = config.vocab_size;
  return json.dump(2) + "\n";
}

}  // namespace tritonrl::weights
