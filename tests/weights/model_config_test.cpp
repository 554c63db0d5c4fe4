#include "weights/model_config.h"

#include <gtest/gtest.h>

#include "base/json.h"
#include "tests/weights/goldens.h"

namespace tritonrl::weights {
namespace {

using base::Json;

Json small_qwen() {
  return {{"architectures", {"Qwen2ForCausalLM"}},
          {"model_type", "qwen2"},
          {"vocab_size", 10},
          {"hidden_size", 8},
          {"intermediate_size", 16},
          {"num_hidden_layers", 1},
          {"num_attention_heads", 2},
          {"num_key_value_heads", 1}};
}

Json small_llama() {
  Json json = small_qwen();
  json["architectures"] = {"LlamaForCausalLM"};
  json["model_type"] = "llama";
  return json;
}

ModelConfig parse(const Json& json) {
  return parse_model_config(json.dump(), "config.json");
}

class ModelConfigOfVersion : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(transformers, ModelConfigOfVersion, testing::Values("4", "5"),
                         [](const auto& version) { return "version" + version.param; });

TEST_P(ModelConfigOfVersion, reads_qwen2) {
  const ModelConfig config = parse_model_config(golden_text("config_qwen2_" + GetParam() + ".json"), "config.json");
  EXPECT_EQ(config.architecture, Architecture::kQwen2);
  EXPECT_EQ(config.vocab_size, 96);
  EXPECT_EQ(config.hidden_size, 32);
  EXPECT_EQ(config.intermediate_size, 56);
  EXPECT_EQ(config.num_hidden_layers, 3);
  EXPECT_EQ(config.num_attention_heads, 4);
  EXPECT_EQ(config.num_key_value_heads, 2);
  EXPECT_EQ(config.head_dim, 8);
  EXPECT_EQ(config.max_position_embeddings, 256);
  EXPECT_EQ(config.rms_norm_eps, 1e-6);
  EXPECT_EQ(config.rope_theta, 1e6);
  EXPECT_EQ(config.rope_scaling.kind, RopeScaling::Kind::kNone);
  EXPECT_TRUE(config.tie_word_embeddings);
  EXPECT_TRUE(config.qkv_bias);
  EXPECT_FALSE(config.output_bias);
  EXPECT_FALSE(config.mlp_bias);
  EXPECT_EQ(config.dtype, Dtype::kBf16);
  EXPECT_EQ(config.bos_token_id, 1);
  EXPECT_EQ(config.eos_token_ids, (std::vector<std::int64_t>{2, 3}));
}

TEST_P(ModelConfigOfVersion, reads_llama) {
  const ModelConfig config = parse_model_config(golden_text("config_llama_" + GetParam() + ".json"), "config.json");
  EXPECT_EQ(config.architecture, Architecture::kLlama);
  EXPECT_EQ(config.head_dim, 16);
  EXPECT_EQ(config.rope_theta, 5e5);
  EXPECT_EQ(config.rope_scaling.kind, RopeScaling::Kind::kLlama3);
  EXPECT_EQ(config.rope_scaling.factor, 8);
  EXPECT_EQ(config.rope_scaling.low_freq_factor, 1);
  EXPECT_EQ(config.rope_scaling.high_freq_factor, 4);
  EXPECT_EQ(config.rope_scaling.original_max_position, 64);
  EXPECT_FALSE(config.tie_word_embeddings);
  EXPECT_TRUE(config.qkv_bias);
  EXPECT_TRUE(config.output_bias);
  EXPECT_TRUE(config.mlp_bias);
  EXPECT_EQ(config.rms_norm_eps, 1e-5);
  EXPECT_EQ(config.dtype, Dtype::kF16);
  EXPECT_EQ(config.eos_token_ids, (std::vector<std::int64_t>{2}));
  const ModelConfig linear =
      parse_model_config(golden_text("config_llama_linear_" + GetParam() + ".json"), "config.json");
  EXPECT_EQ(linear.rope_scaling.kind, RopeScaling::Kind::kLinear);
  EXPECT_EQ(linear.rope_scaling.factor, 2.5);
  EXPECT_FALSE(linear.qkv_bias);
}

TEST_P(ModelConfigOfVersion, reads_qwen3) {
  const ModelConfig config = parse_model_config(golden_text("config_qwen3_" + GetParam() + ".json"), "config.json");
  EXPECT_EQ(config.architecture, Architecture::kQwen3);
  EXPECT_EQ(config.num_attention_heads, 4);
  EXPECT_EQ(config.head_dim, 16);  // apart from hidden / heads
  EXPECT_TRUE(config.head_norms);
  EXPECT_FALSE(config.qkv_bias);
  EXPECT_FALSE(config.output_bias);
  EXPECT_TRUE(config.tie_word_embeddings);
  EXPECT_EQ(config.rope_theta, 1e6);
  EXPECT_EQ(config.dtype, Dtype::kBf16);
  EXPECT_EQ(config.eos_token_ids, (std::vector<std::int64_t>{2, 3}));
}

TEST_P(ModelConfigOfVersion, survives_being_written) {
  for (const std::string name : {"qwen2", "llama", "llama_linear", "qwen3"}) {
    const ModelConfig config =
        parse_model_config(golden_text("config_" + name + "_" + GetParam() + ".json"), "config.json");
    const std::string text = model_config_json(config);
    EXPECT_EQ(model_config_json(parse_model_config(text, "ours")), text);
  }
}

TEST(ModelConfig, reads_older_spellings) {
  Json json = small_llama();
  json["torch_dtype"] = "bfloat16";
  json["rope_scaling"] = {{"type", "linear"}, {"factor", 4}};
  json["rope_theta"] = 20000;
  json.erase("num_key_value_heads");
  const ModelConfig config = parse(json);
  EXPECT_EQ(config.dtype, Dtype::kBf16);
  EXPECT_EQ(config.rope_scaling.kind, RopeScaling::Kind::kLinear);
  EXPECT_EQ(config.rope_scaling.factor, 4);
  EXPECT_EQ(config.rope_theta, 20000);
  EXPECT_EQ(config.num_key_value_heads, 2);
}

TEST(ModelConfig, absent_fields_have_the_architectures_defaults) {
  const ModelConfig qwen = parse(small_qwen()), llama = parse(small_llama());
  EXPECT_EQ(qwen.max_position_embeddings, 32768);
  EXPECT_EQ(llama.max_position_embeddings, 2048);
  EXPECT_EQ(llama.rope_theta, 10000);
  EXPECT_EQ(llama.bos_token_id, 1);
  EXPECT_EQ(llama.eos_token_ids, (std::vector<std::int64_t>{2}));
  EXPECT_TRUE(qwen.eos_token_ids.empty());
  EXPECT_EQ(llama.dtype, Dtype::kF32);
  Json json = small_qwen();
  json["architectures"] = Json::array({"Qwen3ForCausalLM"});
  json["model_type"] = "qwen3";
  EXPECT_EQ(parse(json).head_dim, 128);
}

TEST(ModelConfig, counts_parameters) {
  // 10·8 embedding, 8 final norm; a layer: q 8·8, k and v 8·4 each, o 8·8, biases 8+4+4, three of 8·16, two norms of 8.
  EXPECT_EQ(parse(small_qwen()).parameters(), 2 * 80 + 8 + (64 + 32 + 32 + 64 + 16 + 3 * 128 + 16));
}

struct Wrong {
  const char* field;
  Json value;
  const char* error;
};

TEST(ModelConfig, refuses_by_field) {
  const Wrong cases[] = {
      {"model_type", "mistral",
       "model_type is \"mistral\"; supported are Qwen2ForCausalLM, LlamaForCausalLM and Qwen3ForCausalLM"},
      {"model_type", "qwen2_moe", "model_type is \"qwen2_moe\""},
      {"architectures", {"Qwen2ForSequenceClassification"}, "architectures is [\"Qwen2ForSequenceClassification\"]"},
      {"architectures", {"LlamaForCausalLM"}, "for model_type \"qwen2\""},
      {"architectures", "Qwen2ForCausalLM", "expected a list of strings"},
      {"hidden_act", "gelu", "hidden_act is \"gelu\"; supported is \"silu\""},
      {"use_sliding_window", true, "sliding windows is not supported"},
      {"layer_types", {"sliding_attention"}, "layer_types holds \"sliding_attention\""},
      {"quantization_config", {{"quant_method", "awq"}}, "quantised weights are read from GGUF files only"},
      {"partial_rotary_factor", 0.5, "partial_rotary_factor is not 1"},
      {"rope_scaling",
       {{"type", "yarn"}, {"factor", 4}},
       "rope_type is \"yarn\"; supported are default, linear and llama3"},
      {"rope_scaling", {{"type", "dynamic"}, {"factor", 4}}, "rope_type is \"dynamic\""},
      {"rope_scaling", {{"factor", 4}}, "rope_scaling.type is missing"},
      {"rope_scaling", {{"type", "linear"}}, "rope_scaling.factor is missing"},
      {"rope_scaling", {{"type", "linear"}, {"rope_type", "llama3"}}, "rope_type and type disagree"},
      {"rope_scaling", {{"type", "linear"}, {"factor", 0.5}}, "factor is 0.5; expected a number from 1.0"},
      {"rope_parameters", {{"full_attention", {{"rope_type", "default"}}}}, "rope_parameters.type is missing"},
      {"rope_parameters", {{"rope_type", "default"}, {"partial_rotary_factor", 0.5}}, "partial_rotary_factor is not 1"},
      {"rope_parameters", 7, "rope_parameters is 7; expected an object"},
      {"rope_theta", -1, "rope_theta is -1"},
      {"dtype", "float8_e4m3fn", "dtype is \"float8_e4m3fn\"; supported are float32, float16 and bfloat16"},
      {"vocab_size", nullptr, "vocab_size is missing"},
      {"vocab_size", 0, "vocab_size is 0; expected a whole number from 1 to 16777216"},
      {"vocab_size", 1 << 25, "vocab_size is 33554432"},
      {"vocab_size", 10.0, "vocab_size is 10.0; expected a whole number"},
      {"vocab_size", "10", "vocab_size is \"10\""},
      {"vocab_size", 18446744073709551615u, "vocab_size is 18446744073709551615"},
      {"num_hidden_layers", 5000, "num_hidden_layers is 5000"},
      {"num_attention_heads", 3, "hidden_size (8) is not a multiple of num_attention_heads (3)"},
      {"num_key_value_heads", 4, "num_attention_heads (2) is not a multiple of num_key_value_heads (4)"},
      {"head_dim", 3, "head_dim is 3; rotary positions need an even number"},
      {"rms_norm_eps", 0, "rms_norm_eps is 0"},
      {"rms_norm_eps", "1e-6", "rms_norm_eps is \"1e-6\""},
      {"tie_word_embeddings", 1, "tie_word_embeddings is 1; expected true or false"},
      {"eos_token_id", -1, "eos_token_id is -1"},
      {"eos_token_id", {1, "2"}, "eos_token_id[1] is \"2\""},
      {"bos_token_id", {1}, "bos_token_id is a list"},
  };
  for (const Wrong& wrong : cases) {
    Json json = small_qwen();
    json[wrong.field] = wrong.value;
    SCOPED_TRACE(json.dump());
    const std::string error = error_of([&] { parse(json); });
    expect_contains(error, "[weights] config.json: ");
    expect_contains(error, wrong.error);
  }
}

TEST(ModelConfig, refuses_what_is_no_object) {
  const auto error = [](const std::string& text) { return error_of([&] { parse_model_config(text, "config.json"); }); };
  expect_contains(error(""), "is not JSON at byte");
  expect_contains(error("{"), "is not JSON at byte");
  expect_contains(error("[]"), "is not a JSON object");
  expect_contains(error("{\"a\":1,\"a\":2}"), "has two fields named \"a\"");
  expect_contains(error("{\"a\":1e999}"), "holds a number that is too large");
  expect_contains(error("{\"a\":" + std::string(100000, '[')), "is nested too deeply");
  expect_contains(error("{\"a\xff\":1}"), "is not JSON at byte");
}

TEST(ModelConfig, is_not_written_without_its_biases) {
  ModelConfig config = parse(small_llama());
  config.qkv_bias = true;
  expect_contains(error_of([&] { model_config_json(config); }), "cannot say which of this model's layers have biases");
}

}  // namespace
}  // namespace tritonrl::weights
