#include "weights/adapter_config.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "weights/json_fields.h"

namespace tritonrl::weights {
namespace {

constexpr std::array<std::string_view, 7> kLinearModules = {"q_proj",    "k_proj",  "v_proj",   "o_proj",
                                                            "gate_proj", "up_proj", "down_proj"};

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

bool says_nothing(const nlohmann::json& value) {
  return value.is_null() || (value.is_boolean() && !value.get<bool>()) || (value.is_structured() && value.empty());
}

void check_initialisation(const JsonFields& fields) {
  constexpr const char* kName = "init_lora_weights";
  if (!fields.has(kName) || fields.at(kName).is_boolean()) return;
  const std::string how = fields.text(kName);
  if (how == "gaussian" || how == "orthogonal" || how == "eva") return;
  fields.fail(kName,
              "is \"" + how + "\", which also changes the base model's weights; convert the adapter to plain LoRA");
}

std::vector<std::string> read_targets(const JsonFields& fields) {
  constexpr const char* kName = "target_modules";
  if (!fields.has(kName)) fields.fail(kName, "is missing");
  const std::vector<std::string> all(kLinearModules.begin(), kLinearModules.end());
  const bool single = fields.at(kName).is_string();
  if (single && fields.text(kName) == "all-linear") return all;
  const std::vector<std::string> names = single ? std::vector{fields.text(kName)} : fields.texts(kName);
  if (names.empty()) fields.fail(kName, "is empty");
  for (const std::string& name : names) {
    if (std::find(all.begin(), all.end(), name) == all.end()) {
      fields.fail(kName, "names \"" + name.substr(0, 80) +
                             "\"; supported are all-linear and a list of q_proj, k_proj, v_proj, o_proj, gate_proj, "
                             "up_proj, down_proj");
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
  const nlohmann::json object = parse_json_object(json, where);
  const JsonFields fields(object, where);
  if (const std::string type = fields.text("peft_type"); type != "LORA") {
    fields.fail("peft_type", "is \"" + type + "\"; supported is LORA");
  }
  if (const std::string task = fields.text_or("task_type", "CAUSAL_LM"); task != "CAUSAL_LM") {
    fields.fail("task_type", "is \"" + task + "\"; supported is CAUSAL_LM");
  }
  if (const std::string bias = fields.text_or("bias", "none"); bias != "none") {
    fields.fail("bias", "is \"" + bias + "\"; adapters that train biases are not supported");
  }
  // Every other switch of PEFT's, known or of a later version, changes the result when it is on.
  for (const auto& [name, value] : object.items()) {
    if (!known_fields().contains(name) && !says_nothing(value)) {
      fields.fail(name, "is set; this form of LoRA is not supported, and leaving it out would change the result");
    }
  }
  check_initialisation(fields);
  AdapterConfig config;
  config.r = fields.integer("r", 1, 65536);
  config.alpha = fields.number("lora_alpha", 0, 1e9);
  config.dropout = fields.number_or("lora_dropout", 0, 0, 1);
  config.rank_stabilised = fields.boolean_or("use_rslora", false);
  config.target_modules = read_targets(fields);
  config.base_model = fields.text_or("base_model_name_or_path", "");
  return config;
}

std::string adapter_config_json(const AdapterConfig& config) {
  const bool whole = config.alpha == std::floor(config.alpha) && config.alpha < 1e15;
  const nlohmann::json none = nullptr, nothing = nlohmann::json::object();
  const nlohmann::json json = {
      {"alora_invocation_tokens", none},
      {"alpha_pattern", nothing},
      {"arrow_config", none},
      {"auto_mapping", none},
      {"base_model_name_or_path", config.base_model.empty() ? none : nlohmann::json(config.base_model)},
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
      {"lora_alpha", whole ? nlohmann::json(static_cast<std::int64_t>(config.alpha)) : nlohmann::json(config.alpha)},
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
  return json.dump(2) + "\n";
}

}  // namespace tritonrl::weights
