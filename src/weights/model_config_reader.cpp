#include "weights/model_config_reader.h"

#include "weights/folder_files.h"
#include "weights/model_config.h"
#include "weights/model_config_bounds.h"
#include "weights/model_family.h"

namespace tritonrl::weights {
namespace {

using base::JsonField;

std::string supported() {
  std::string text = "; supported are ";
  const std::span<const ModelFamily> families = model_families();
  for (std::size_t i = 0; i < families.size(); ++i) {
    text += (i == 0 ? "" : i + 1 < families.size() ? ", " : " and ") + families[i].class_name();
  }
  return text;
}

const ModelFamily& read_family(const JsonField& fields) {
  const std::string& type = fields["model_type"].text();
  const ModelFamily* const family = family_of_type(type);
  if (family == nullptr) fields["model_type"].refuse("is \"" + type + "\"" + supported());
  // Absent in a config that was never saved with a model.
  if (fields.has("architectures")) {
    const std::vector<std::string> names = fields["architectures"].texts();
    if (names.size() != 1 || names[0] != family->class_name()) {
      fields["architectures"].refuse("is [" + (names.empty() ? "" : "\"" + names[0] + "\"") +
                                     (names.size() > 1 ? ", ...]" : "]") + " for model_type \"" + type + "\"" +
                                     supported());
    }
  }
  return *family;
}

void refuse_what_is_not_built(const JsonField& fields, const ModelFamily& family) {
  if (fields.has("quantization_config")) {
    fields["quantization_config"].refuse("is set; quantised weights are read from GGUF files only");
  }
  if (const std::string act = fields["hidden_act"].text_or("silu"); act != "silu") {
    fields["hidden_act"].refuse("is \"" + act + "\"; supported is \"silu\"");
  }
  if (fields["partial_rotary_factor"].number_or(1, 0, 1) != 1) {
    fields["partial_rotary_factor"].refuse("is not 1; rotary positions on a part of each head are not supported");
  }
  if (family.has_windows) {
    if (fields["use_sliding_window"].boolean_or(false)) {
      fields["use_sliding_window"].refuse("is true; attention over sliding windows is not supported");
    }
    if (fields.has("layer_types")) {
      for (const std::string& type : fields["layer_types"].texts()) {
        if (type != "full_attention")
          fields["layer_types"].refuse("holds \"" + type + "\"; supported is full_attention");
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
  const ModelFamily& family = read_family(fields);
  refuse_what_is_not_built(fields, family);
  ModelConfig config = family.defaults;
  config.vocab_size = fields["vocab_size"].integer(1, kLargestVocabulary);
  config.hidden_size = fields["hidden_size"].integer(1, kLargestHidden);
  config.intermediate_size = fields["intermediate_size"].integer(1, kLargestIntermediate);
  config.num_hidden_layers = fields["num_hidden_layers"].integer(1, kMostLayers);
  config.num_attention_heads = fields["num_attention_heads"].integer(1, kMostHeads);
  config.num_key_value_heads = fields["num_key_value_heads"].integer_or(config.num_attention_heads, 1, kMostHeads);
  if (fields.has("head_dim")) {
    config.head_dim = fields["head_dim"].integer(1, kLargestHead);
  } else if (config.head_dim == 0) {
    if (config.hidden_size % config.num_attention_heads != 0) {
      fields["hidden_size"].refuse("(" + std::to_string(config.hidden_size) +
                                   ") is not a multiple of num_attention_heads (" +
                                   std::to_string(config.num_attention_heads) + "), and head_dim is not given");
    }
    config.head_dim = config.hidden_size / config.num_attention_heads;
  }
  config.max_position_embeddings =
      fields["max_position_embeddings"].integer_or(config.max_position_embeddings, 1, kLongestContext);
  config.rms_norm_eps = fields["rms_norm_eps"].number_or(config.rms_norm_eps, kSmallestEpsilon, kLargestEpsilon);
  config.tie_word_embeddings = fields["tie_word_embeddings"].boolean_or(config.tie_word_embeddings);
  if (family.has_attention_bias) config.qkv_bias = config.output_bias = fields["attention_bias"].boolean_or(false);
  if (family.has_mlp_bias) config.mlp_bias = fields["mlp_bias"].boolean_or(false);
  config.initializer_range = fields["initializer_range"].number_or(config.initializer_range, 0, 100);
  config.dtype = read_dtype(fields);
  // null is none; where the field lacks, the family's own holds.
  config.bos_token_id = family.bos_token_id;
  if (family.eos_token_id) config.eos_token_ids = {*family.eos_token_id};
  if (fields.value().contains("bos_token_id")) config.bos_token_id.reset();
  if (fields.has("bos_token_id")) config.bos_token_id = fields["bos_token_id"].integer(0, kLargestTokenId);
  if (fields.value().contains("eos_token_id")) config.eos_token_ids = read_eos_token_ids(fields);
  read_rope(fields, config);
  check_model_config(config, where);
  return config;
}

}  // namespace tritonrl::weights
