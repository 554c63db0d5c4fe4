#include "weights/adapter_config.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/json.h"
#include "tests/weights/goldens.h"

namespace tritonrl::weights {
namespace {

using base::Json;

Json small_config() {
  return {
      {"peft_type", "LORA"}, {"task_type", "CAUSAL_LM"}, {"r", 4}, {"lora_alpha", 8}, {"target_modules", {"q_proj"}}};
}

AdapterConfig parse(const Json& json) {
  return parse_adapter_config(json.dump(), "adapter_config.json");
}

TEST(AdapterConfig, reads_what_peft_wrote) {
  const AdapterConfig config = parse_adapter_config(golden_text("adapter_config.json"), "adapter_config.json");
  EXPECT_EQ(config.r, 8);
  EXPECT_EQ(config.alpha, 24);
  EXPECT_EQ(config.dropout, 0.1);
  EXPECT_TRUE(config.rank_stabilised);
  EXPECT_EQ(config.target_modules, (std::vector<std::string>{"q_proj", "v_proj", "down_proj"}));
  EXPECT_EQ(config.base_model, "some/model");
  EXPECT_DOUBLE_EQ(config.scale(), 24 / std::sqrt(8.0));
}

TEST(AdapterConfig, writes_no_field_that_peft_does_not_write) {
  const Json ours = Json::parse(adapter_config_json({})), theirs = Json::parse(golden_text("adapter_config.json"));
  for (const auto& item : ours.items()) EXPECT_TRUE(theirs.contains(item.key())) << item.key();
}

TEST(AdapterConfig, survives_being_written) {
  AdapterConfig config;
  config.alpha = 2.5;
  config.target_modules = {"k_proj", "up_proj"};
  config.base_model = "a/b";
  const AdapterConfig read = parse_adapter_config(adapter_config_json(config), "ours");
  EXPECT_EQ(read.alpha, 2.5);
  EXPECT_EQ(read.target_modules, config.target_modules);
  EXPECT_EQ(read.base_model, "a/b");
  EXPECT_EQ(read.dropout, 0.05);
  EXPECT_DOUBLE_EQ(read.scale(), 2.5 / 16);
}

TEST(AdapterConfig, understands_ways_to_name_targets) {
  Json json = small_config();
  json["target_modules"] = "all-linear";
  EXPECT_EQ(parse(json).target_modules.size(), 7u);
  json["target_modules"] = "o_proj";
  EXPECT_EQ(parse(json).target_modules, std::vector<std::string>{"o_proj"});
}

struct Wrong {
  const char* field;
  Json value;
  const char* error;
};

TEST(AdapterConfig, refuses_what_would_change_the_result) {
  const Wrong cases[] = {
      {"peft_type", "IA3", "peft_type is \"IA3\"; supported is LORA"},
      {"peft_type", nullptr, "peft_type is missing"},
      {"task_type", "SEQ_CLS", "task_type is \"SEQ_CLS\""},
      {"bias", "all", "bias is \"all\""},
      {"use_dora", true, "use_dora is set"},
      {"lora_bias", true, "lora_bias is set"},
      {"modules_to_save", {"lm_head"}, "modules_to_save is set"},
      {"rank_pattern", {{"q_proj", 2}}, "rank_pattern is set"},
      {"alpha_pattern", {{"q_proj", 2}}, "alpha_pattern is set"},
      {"layers_to_transform", {1}, "layers_to_transform is set"},
      {"layers_to_transform", 0, "layers_to_transform is set"},
      {"layer_replication", {{0, 2}}, "layer_replication is set"},
      {"fan_in_fan_out", true, "fan_in_fan_out is set"},
      {"trainable_token_indices", {5}, "trainable_token_indices is set"},
      {"target_parameters", {"x"}, "target_parameters is set"},
      {"exclude_modules", {"q_proj"}, "exclude_modules is set"},
      {"something_new", 3, "something_new is set"},
      {"init_lora_weights", "pissa", "init_lora_weights is \"pissa\", which also changes the base model's weights"},
      {"init_lora_weights", "pissa_niter_16", "init_lora_weights is \"pissa_niter_16\""},
      {"init_lora_weights", "olora", "init_lora_weights is \"olora\""},
      {"init_lora_weights", "corda", "init_lora_weights is \"corda\""},
      {"init_lora_weights", "loftq", "init_lora_weights is \"loftq\""},
      {"init_lora_weights", 3, "init_lora_weights is 3"},
      {"r", 0, "r is 0; expected a whole number from 1"},
      {"r", nullptr, "r is missing"},
      {"lora_alpha", "8", "lora_alpha is \"8\""},
      {"lora_dropout", 1.5, "lora_dropout is 1.5"},
      {"target_modules", nullptr, "target_modules is missing"},
      {"target_modules", Json::array(), "target_modules is empty"},
      {"target_modules", {"lm_head"}, "target_modules names \"lm_head\"; supported are all-linear"},
      {"target_modules", ".*_proj", "target_modules names \".*_proj\""},
      {"target_modules", {1}, "target_modules holds 1; expected strings"},
  };
  for (const Wrong& wrong : cases) {
    Json json = small_config();
    json[wrong.field] = wrong.value;
    SCOPED_TRACE(json.dump());
    const std::string error = error_of([&] { parse(json); });
    expect_contains(error, "[weights] adapter_config.json: ");
    expect_contains(error, wrong.error);
  }
}

}  // namespace
}  // namespace tritonrl::weights
