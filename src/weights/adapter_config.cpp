#include "weights/adapter_config.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "weights/folder_files.h"

namespace tritonrl::weights {
namespace {

// Fields that say nothing about what the adapter computes, or that are read below.
const std::set<std::string_view>& known_fields() {
  static const std::set<std::string_view> names = {"auto_mapping",
                                                   "base_model_name_or_path",
                                                   "bias",
                                                   "ensure_weight_tying",
                                                   "eva_config",
                                                   "inference_mode",
                                                   "init_lora_weights",
                                                   "layers_pattern",
                                                   "lora_alpha",
                                                   "lora_dropout",
                                                   "megatron_core",
                                                   "peft_type",
                                                   "peft_version",
                                                   "qalora_group_size",
                                                   "r",
                                                   "revision",
                                                   "runtime_config",
                                                   "target_modules",
                                                   "task_type",
                                                   "use_rslora"};
  return names;
}

using base::Json;
using base::JsonField;

bool says_nothing(const Json& value) {
  return value.is_null() || (value.is_boolean() && !value.boolean()) || (value.is_structured() && value.empty());
}

void check_initialisation(const JsonField& field) {
  if (field.is_null() || field.value().is_boolean()) return;
  const std::string& how = field.text();
  if (how == "gaussian" || how == "orthogonal" || how == "eva") return;
  field.refuse("is \"" + how + "\", which also changes the base model's weights; convert the adapter to plain LoRA");
}

std::vector<std::string> read_targets(const JsonField& field) {
  const std::vector<std::string>& all = linear_names();
  const bool single = field.value().is_string();
  if (single && field.text() == "all-linear") return all;
  const std::vector<std::string> names = single ? std::vector{field.text()} : field.texts();
  if (names.empty()) field.refuse("is empty");
  for (const std::string& name : names) {
    if (std::find(all.begin(), all.end(), name) == all.end()) {
      field.refuse("names \"" + name.substr(0, 80) + "\"; supported are all-linear and a list of " +
                   linear_names_text());
    }
  }
  // PEFT writes a set, in any order: ours has one, so that equal adapters compare equal.
  std::vector<std::string> ordered;
  for (const std::string& name : all) {
    if (std::find(names.begin(), names.end(), name) != names.end()) ordered.push_back(name);
  }
  return ordered;
}

}  // namespace

double AdapterConfig::scale() const {
  const auto rank = static_cast<double>(r);
  return rank_stabilised ? alpha / std::sqrt(rank) : alpha / rank;
}

AdapterConfig parse_adapter_config(std::string_view json, const std::string& where) {
  const JsonFile file(json, where);
  const JsonField top = file.top();
  if (const std::string& type = top["peft_type"].text(); type != "LORA") {
    top["peft_type"].refuse("is \"" + type + "\"; supported is LORA");
  }
  if (const std::string task = top["task_type"].text_or("CAUSAL_LM"); task != "CAUSAL_LM") {
    top["task_type"].refuse("is \"" + task + "\"; supported is CAUSAL_LM");
  }
  if (const std::string bias = top["bias"].text_or("none"); bias != "none") {
    top["bias"].refuse("is \"" + bias + "\"; adapters that train biases are not supported");
  }
  // Every other switch of PEFT's, known or of a later version, changes the result when it is on.
  for (const auto& [name, value] : top.value().items()) {
    if (!known_fields().contains(name) && !says_nothing(value)) {
      top[name].refuse("is set; this form of LoRA is not supported, and leaving it out would change the result");
    }
  }
  check_initialisation(top["init_lora_weights"]);
  AdapterConfig config;
  config.r = top["r"].integer(1, 65536);
  config.alpha = top["lora_alpha"].number(0, 1e9);
  config.dropout = top["lora_dropout"].number_or(0, 0, 1);
  config.rank_stabilised = top["use_rslora"].boolean_or(false);
  config.target_modules = read_targets(top["target_modules"]);
  config.base_model = top["base_model_name_or_path"].text_or("");
  return config;
}

std::string adapter_config_json(const AdapterConfig& config) {
  const bool whole = config.alpha == std::floor(config.alpha) && config.alpha < 1e15;
  const Json none{}, nothing = Json::object();
  const Json json = {
      {"alora_invocation_tokens", none},
      {"alpha_pattern", nothing},
      {"arrow_config", none},
      {"auto_mapping", none},
      {"base_model_name_or_path", config.base_model.empty() ? none : Json(config.base_model)},
      {"bias", "none"},
      {"corda_config", none},
      {"ensure_weight_tying", false},
      {"eva_config", none},
      {"exclude_modules", none},
      {"fan_in_fan_out", false},
      {"inference_mode", true},
      {"init_lora_weights", true},
      {"layer_replication", none},
      {"layers_pattern", none},
      {"layers_to_transform", none},
      {"loftq_config", nothing},
      {"lora_alpha", whole ? Json(static_cast<std::int64_t>(config.alpha)) : Json(config.alpha)},
      {"lora_bias", false},
      {"lora_dropout", config.dropout},
      {"megatron_config", none},
      {"megatron_core", "megatron.core"},
      {"modules_to_save", none},
      {"peft_type", "LORA"},
      {"qalora_group_size", 16},
      {"r", config.r},
      {"rank_pattern", nothing},
      {"revision", none},
      {"target_modules", config.target_modules},
      {"target_parameters", none},
      {"task_type", "CAUSAL_LM"},
      {"trainable_token_indices", none},
      {"use_dora", false},
      {"use_qalora", false},
      {"use_rslora", config.rank_stabilised},
  };
  return json.sorted().dump(2) + "\n";
}

}  // namespace tritonrl::weights
