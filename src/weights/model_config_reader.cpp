#include <nlohmann/json.hpp>

#include "weights/json_fields.h"
#include "weights/model_config.h"
#include "weights/model_config_bounds.h"

namespace tritonrl::weights {
namespace {

constexpr const char* kSupported = "; supported are Qwen2ForCausalLM and LlamaForCausalLM";

Architecture read_architecture(const JsonFields& fields) {
  const std::string type = fields.text("model_type");
  if (type != "qwen2" && type != "llama") fields.fail("model_type", "is \"" + type + "\"" + kSupported);
  const std::string expected = type == "qwen2" ? "Qwen2ForCausalLM" : "LlamaForCausalLM";
  // Absent in a config that was never saved with a model.
  if (fields.has("architectures")) {
    const std::vector<std::string> names = fields.texts("architectures");
    if (names.size() != 1 || names[0] != expected) {
      fields.fail("architectures", "is [" + (names.empty() ? "" : "\"" + names[0] + "\"") +
                                       (names.size() > 1 ? ", ...]" : "]") + " for model_type \"" + type + "\"" +
                                       kSupported);
    }
  }
  return type == "qwen2" ? Architecture::kQwen2 : Architecture::kLlama;
}

void refuse_what_is_not_built(const JsonFields& fields, Architecture architecture) {
  if (fields.has("quantization_config")) {
    fields.fail("quantization_config", "is set; quantised weights are read from GGUF files only");
  }
  if (const std::string act = fields.text_or("hidden_act", "silu"); act != "silu") {
    fields.fail("hidden_act", "is \"" + act + "\"; supported is \"silu\"");
  }
  if (fields.number_or("partial_rotary_factor", 1, 0, 1) != 1) {
    fields.fail("partial_rotary_factor", "is not 1; rotary positions on a part of each head are not supported");
  }
  if (architecture == Architecture::kQwen2) {
    if (fields.boolean_or("use_sliding_window", false)) {
      fields.fail("use_sliding_window", "is true; attention over sliding windows is not supported");
    }
    if (fields.has("layer_types")) {
      for (const std::string& type : fields.texts("layer_types")) {
        if (type != "full_attention") fields.fail("layer_types", "holds \"" + type + "\"; supported is full_attention");
      }
    }
  }
}

RopeScaling read_rope_scaling(const JsonFields& rope) {
  if (rope.has("rope_type") && rope.has("type") && rope.text("rope_type") != rope.text("type")) {
    rope.fail("rope_type", "and type disagree");
  }
  if (rope.number_or("partial_rotary_factor", 1, 0, 1) != 1) {
    rope.fail("partial_rotary_factor", "is not 1; rotary positions on a part of each head are not supported");
  }
  const std::string type = rope.has("rope_type") ? rope.text("rope_type") : rope.text("type");
  RopeScaling scaling;
  if (type == "default") return scaling;
  if (type != "linear" && type != "llama3") {
    rope.fail("rope_type", "is \"" + type + "\"; supported are default, linear and llama3");
  }
  scaling.kind = type == "linear" ? RopeScaling::Kind::kLinear : RopeScaling::Kind::kLlama3;
  scaling.factor = rope.number("factor", 1, kLargestRopeFactor);
  if (scaling.kind == RopeScaling::Kind::kLlama3) {
    scaling.low_freq_factor = rope.number("low_freq_factor", 1e-6, kLargestRopeFactor);
    scaling.high_freq_factor = rope.number("high_freq_factor", 1e-6, kLargestRopeFactor);
    scaling.original_max_position = rope.integer("original_max_position_embeddings", 1, kLongestContext);
    if (scaling.high_freq_factor <= scaling.low_freq_factor) {
      rope.fail("high_freq_factor", "is not above low_freq_factor");
    }
  }
  return scaling;
}

// transformers 5 keeps theta and scaling together in rope_parameters; 4 had rope_theta and rope_scaling.
void read_rope(const JsonFields& fields, ModelConfig& config) {
  config.rope_theta = fields.number_or("rope_theta", config.rope_theta, kSmallestTheta, kLargestTheta);
  if (fields.has("rope_parameters") && fields.has("rope_scaling")) {
    nlohmann::json scaling = fields.at("rope_parameters"), older = fields.at("rope_scaling");
    if (scaling.is_object()) scaling.erase("rope_theta");
    if (older.is_object()) older.erase("rope_theta");
    if (scaling != older) fields.fail("rope_scaling", "and rope_parameters disagree; keep one of them");
  }
  if (fields.has("rope_parameters")) {
    const JsonFields rope = fields.object("rope_parameters");
    config.rope_theta = rope.number_or("rope_theta", config.rope_theta, kSmallestTheta, kLargestTheta);
    config.rope_scaling = read_rope_scaling(rope);
  } else if (fields.has("rope_scaling")) {
    config.rope_scaling = read_rope_scaling(fields.object("rope_scaling"));
  }
}

Dtype read_dtype(const JsonFields& fields) {
  const std::string name = fields.has("dtype") ? "dtype" : "torch_dtype";
  const std::string type = fields.text_or(name, "float32");
  if (type == "float32") return Dtype::kF32;
  if (type == "float16") return Dtype::kF16;
  if (type == "bfloat16") return Dtype::kBf16;
  fields.fail(name, "is \"" + type + "\"; supported are float32, float16 and bfloat16");
}

}  // namespace

std::vector<std::int64_t> read_eos_token_ids(const JsonFields& fields) {
  constexpr const char* kName = "eos_token_id";
  if (!fields.has(kName)) return {};
  const nlohmann::json& value = fields.at(kName);
  if (!value.is_array()) return {fields.integer(kName, 0, kLargestTokenId)};
  std::vector<std::int64_t> ids;
  for (const nlohmann::json& item : value) {
    const nlohmann::json wrapped = {{kName, item}};
    ids.push_back(JsonFields(wrapped, fields.where()).integer(kName, 0, kLargestTokenId));
  }
  return ids;
}

ModelConfig parse_model_config(std::string_view json, const std::string& where) {
  const nlohmann::json object = parse_json_object(json, where);
  const JsonFields fields(object, where);
  ModelConfig config;
  config.architecture = read_architecture(fields);
  refuse_what_is_not_built(fields, config.architecture);
  const bool qwen = config.architecture == Architecture::kQwen2;

  config.vocab_size = fields.integer("vocab_size", 1, kLargestVocabulary);
  config.hidden_size = fields.integer("hidden_size", 1, kLargestHidden);
  config.intermediate_size = fields.integer("intermediate_size", 1, kLargestIntermediate);
  config.num_hidden_layers = fields.integer("num_hidden_layers", 1, kMostLayers);
  config.num_attention_heads = fields.integer("num_attention_heads", 1, kMostHeads);
  config.num_key_value_heads = fields.integer_or("num_key_value_heads", config.num_attention_heads, 1, kMostHeads);
  if (fields.has("head_dim")) {
    config.head_dim = fields.integer("head_dim", 1, kLargestHead);
  } else {
    if (config.hidden_size % config.num_attention_heads != 0) {
      fields.fail("hidden_size", "(" + std::to_string(config.hidden_size) +
                                     ") is not a multiple of num_attention_heads (" +
                                     std::to_string(config.num_attention_heads) + "), and head_dim is not given");
    }
    config.head_dim = config.hidden_size / config.num_attention_heads;
  }
  config.max_position_embeddings =
      fields.integer_or("max_position_embeddings", qwen ? 32768 : 2048, 1, kLongestContext);
  config.rms_norm_eps = fields.number_or("rms_norm_eps", 1e-6, kSmallestEpsilon, kLargestEpsilon);
  config.tie_word_embeddings = fields.boolean_or("tie_word_embeddings", false);
  const bool attention_bias = !qwen && fields.boolean_or("attention_bias", false);
  config.qkv_bias = qwen || attention_bias;
  config.output_bias = attention_bias;
  config.mlp_bias = !qwen && fields.boolean_or("mlp_bias", false);
  config.initializer_range = fields.number_or("initializer_range", 0.02, 0, 100);
  config.dtype = read_dtype(fields);
  if (!qwen && !fields.names("bos_token_id")) config.bos_token_id = 1;  // LlamaConfig's own defaults
  if (!qwen && !fields.names("eos_token_id")) config.eos_token_ids = {2};
  if (fields.has("bos_token_id")) config.bos_token_id = fields.integer("bos_token_id", 0, kLargestTokenId);
  if (fields.names("eos_token_id")) config.eos_token_ids = read_eos_token_ids(fields);
  read_rope(fields, config);
  check_model_config(config, where);
  return config;
}

}  // namespace tritonrl::weights
