#include "weights/model_config_reader.h"

#include "weights/folder_files.h"
#include "weights/model_config.h"
#include "weights/model_config_bounds.h"

namespace tritonrl::weights {
namespace {

using base::JsonField;

constexpr const char* kSupported = "; supported are Qwen2ForCausalLM and LlamaForCausalLM";

Architecture read_architecture(const JsonField& fields) {
  const std::string type = fields["model_type"].text();
  if (type != "qwen2" && type != "llama") fields["model_type"].refuse("is \"" + type + "\"" + kSupported);
  const std::string expected = type == "qwen2" ? "Qwen2ForCausalLM" : "LlamaForCausalLM";
  // Absent in a config that was never saved with a model.
  if (fields.has("architectures")) {
    const std::vector<std::string> names = fields["architectures"].texts();
    if (names.size() != 1 || names[0] != expected) {
      fields["architectures"].refuse("is [" + (names.empty() ? "" : "\"" + names[0] + "\"") +
                                       (names.size() > 1 ? ", ...]" : "]") + " for model_type \"" + type + "\"" +
                                       kSupported);
    }
  }
  return type == "qwen2" ? Architecture::kQwen2 : Architecture::kLlama;
}

void refuse_what_is_not_built(const JsonField& fields, Architecture architecture) {
  if (fields.has("quantization_config")) {
    fields["quantization_config"].refuse("is set; quantised weights are read from GGUF files only");
  }
  if (const std::string act = fields["hidden_act"].text_or("silu"); act != "silu") {
    fields["hidden_act"].refuse("is \"" + act + "\"; supported is \"silu\"");
  }
  if (fields["partial_rotary_factor"].number_or(1, 0, 1) != 1) {
    fields["partial_rotary_factor"].refuse("is not 1; rotary positions on a part of each head are not supported");
  }
  if (architecture == Architecture::kQwen2) {
    if (fields["use_sliding_window"].boolean_or(false)) {
      fields["use_sliding_window"].refuse("is true; attention over sliding windows is not supported");
    }
    if (fields.has("layer_types")) {
      for (const std::string& type : fields["layer_types"].texts()) {
        if (type != "full_attention") fields["layer_types"].refuse("holds \"" + type + "\"; supported is full_attention");
      }
    }
  }
}

RopeScaling read_rope_scaling(const JsonField& rope) {
  if (rope.has("rope_type") && rope.has("type") && rope["rope_type"].text() != rope["type"].text()) {
    rope["rope_type"].refuse("and type disagree");
  }
  if (rope["partial_rotary_factor"].number_or(1, 0, 1) != 1) {
    rope["partial_rotary_factor"].refuse("is not 1; rotary positions on a part of each head are not supported");
  }
  const std::string type = rope.has("rope_type") ? rope["rope_type"].text() : rope["type"].text();
  RopeScaling scaling;
  if (type == "default") return scaling;
  if (type != "linear" && type != "llama3") {
    rope["rope_type"].refuse("is \"" + type + "\"; supported are default, linear and llama3");
  }
  scaling.kind = type == "linear" ? RopeScaling::Kind::kLinear : RopeScaling::Kind::kLlama3;
  scaling.factor = rope["factor"].number(1, kLargestRopeFactor);
  if (scaling.kind == RopeScaling::Kind::kLlama3) {
    scaling.low_freq_factor = rope["low_freq_factor"].number(1e-6, kLargestRopeFactor);
    scaling.high_freq_factor = rope["high_freq_factor"].number(1e-6, kLargestRopeFactor);
    scaling.original_max_position = rope["original_max_position_embeddings"].integer(1, kLongestContext);
    if (scaling.high_freq_factor <= scaling.low_freq_factor) {
      rope["high_freq_factor"].refuse("is not above low_freq_factor");
    }
  }
  return scaling;
}

// transformers 5 keeps theta and scaling together in rope_parameters; 4 had rope_theta and rope_scaling.
void read_rope(const JsonField& fields, ModelConfig& config) {
  config.rope_theta = fields["rope_theta"].number_or(config.rope_theta, kSmallestTheta, kLargestTheta);
  if (fields.has("rope_parameters") && fields.has("rope_scaling")) {
    base::Json scaling = fields["rope_parameters"].value(), older = fields["rope_scaling"].value();
    if (scaling.is_object()) scaling.erase("rope_theta");
    if (older.is_object()) older.erase("rope_theta");
    if (scaling != older) fields["rope_scaling"].refuse("and rope_parameters disagree; keep one of them");
  }
  if (fields.has("rope_parameters")) {
    const JsonField rope = fields["rope_parameters"];
    config.rope_theta = rope["rope_theta"].number_or(config.rope_theta, kSmallestTheta, kLargestTheta);
    config.rope_scaling = read_rope_scaling(rope);
  } else if (fields.has("rope_scaling")) {
    config.rope_scaling = read_rope_scaling(fields["rope_scaling"]);
  }
}

Dtype read_dtype(const JsonField& fields) {
  const std::string name = fields.has("dtype") ? "dtype" : "torch_dtype";
  const std::string type = fields[name].text_or("float32");
  if (type == "float32") return Dtype::kF32;
  if (type == "float16") return Dtype::kF16;
  if (type == "bfloat16") return Dtype::kBf16;
  fields[name].refuse("is \"" + type + "\"; supported are float32, float16 and bfloat16");
}

}  // namespace

std::vector<std::int64_t> read_eos_token_ids(const JsonField& fields) {
  const JsonField field = fields["eos_token_id"];
  if (field.is_null()) return {};
  if (!field.value().is_array()) return {field.integer(0, kLargestTokenId)};
  std::vector<std::int64_t> ids;
  for (std::size_t i = 0; i < field.elements(); ++i) ids.push_back(field.element(i).integer(0, kLargestTokenId));
  return ids;
}

ModelConfig parse_model_config(std::string_view json, const std::string& where) {
  const JsonFile file(json, where);
  const JsonField fields = file.top();
  ModelConfig config;
  config.architecture = read_architecture(fields);
  refuse_what_is_not_built(fields, config.architecture);
  const bool qwen = config.architecture == Architecture::kQwen2;

  config.vocab_size = fields["vocab_size"].integer(1, kLargestVocabulary);
  config.hidden_size = fields["hidden_size"].integer(1, kLargestHidden);
  config.intermediate_size = fields["intermediate_size"].integer(1, kLargestIntermediate);
  config.num_hidden_layers = fields["num_hidden_layers"].integer(1, kMostLayers);
  config.num_attention_heads = fields["num_attention_heads"].integer(1, kMostHeads);
  config.num_key_value_heads = fields["num_key_value_heads"].integer_or(config.num_attention_heads, 1, kMostHeads);
  if (fields.has("head_dim")) {
    config.head_dim = fields["head_dim"].integer(1, kLargestHead);
  } else {
    if (config.hidden_size % config.num_attention_heads != 0) {
      fields["hidden_size"].refuse("(" + std::to_string(config.hidden_size) +
                                     ") is not a multiple of num_attention_heads (" +
                                     std::to_string(config.num_attention_heads) + "), and head_dim is not given");
    }
    config.head_dim = config.hidden_size / config.num_attention_heads;
  }
  config.max_position_embeddings =
      fields["max_position_embeddings"].integer_or(qwen ? 32768 : 2048, 1, kLongestContext);
  config.rms_norm_eps = fields["rms_norm_eps"].number_or(1e-6, kSmallestEpsilon, kLargestEpsilon);
  config.tie_word_embeddings = fields["tie_word_embeddings"].boolean_or(false);
  const bool attention_bias = !qwen && fields["attention_bias"].boolean_or(false);
  config.qkv_bias = qwen || attention_bias;
  config.output_bias = attention_bias;
  config.mlp_bias = !qwen && fields["mlp_bias"].boolean_or(false);
  config.initializer_range = fields["initializer_range"].number_or(0.02, 0, 100);
  config.dtype = read_dtype(fields);
  if (!qwen && !fields.value().contains("bos_token_id")) config.bos_token_id = 1;  // LlamaConfig's own defaults
  if (!qwen && !fields.value().contains("eos_token_id")) config.eos_token_ids = {2};
  if (fields.has("bos_token_id")) config.bos_token_id = fields["bos_token_id"].integer(0, kLargestTokenId);
  if (fields.value().contains("eos_token_id")) config.eos_token_ids = read_eos_token_ids(fields);
  read_rope(fields, config);
  check_model_config(config, where);
  return config;
}

}  // namespace tritonrl::weights
