#include "weights/gguf_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>

#include "base/json.h"
#include "base/sha256.h"
#include "tests/weights/as_floats.h"
#include "tests/weights/gguf_builder.h"
#include "tests/weights/goldens.h"
#include "weights/block_modules.h"
#include "weights/model_family.h"

namespace tritonrl::weights {
namespace {

using base::Json;

class GgufModel : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(architectures, GgufModel, testing::Values("llama", "qwen2", "qwen3"));

TEST_P(GgufModel, config_is_what_transformers_reads) {
  const std::string text = golden_text(GetParam() + ".gguf");
  const ModelConfig config = gguf_model_config(GgufFile::parse(bytes_of(text), "model.gguf"));
  const Json expected = Json::parse(golden_text(GetParam() + "_gguf.json"))["config"];
  EXPECT_EQ(family_of(config).type, expected["model_type"]);
  EXPECT_EQ(config.vocab_size, expected["vocab_size"]);
  EXPECT_EQ(config.hidden_size, expected["hidden_size"]);
  EXPECT_EQ(config.intermediate_size, expected["intermediate_size"]);
  EXPECT_EQ(config.num_hidden_layers, expected["num_hidden_layers"]);
  EXPECT_EQ(config.num_attention_heads, expected["num_attention_heads"]);
  EXPECT_EQ(config.num_key_value_heads, expected["num_key_value_heads"]);
  EXPECT_EQ(config.head_dim, expected.value("head_dim", 8));
  EXPECT_EQ(config.max_position_embeddings, expected["max_position_embeddings"]);
  EXPECT_EQ(config.rms_norm_eps, expected["rms_norm_eps"]);
  EXPECT_EQ(config.rope_theta, expected["rope_parameters"]["rope_theta"]);
  EXPECT_EQ(config.rope_scaling.kind, RopeScaling::Kind::kNone);
  EXPECT_EQ(config.tie_word_embeddings, expected["tie_word_embeddings"]);
  EXPECT_EQ(config.qkv_bias, GetParam() == "qwen2");
  EXPECT_EQ(config.head_norms, GetParam() == "qwen3");
  EXPECT_EQ(config.output_bias, false);
  EXPECT_EQ(config.mlp_bias, false);
  EXPECT_EQ(config.bos_token_id, expected["bos_token_id"]);
  EXPECT_EQ(config.eos_token_ids, std::vector<std::int64_t>{expected["eos_token_id"].integer()});
}

TEST_P(GgufModel, tensors_are_what_transformers_reads) {
  const std::string text = golden_text(GetParam() + ".gguf");
  const GgufFile file = GgufFile::parse(bytes_of(text), "model.gguf");
  const auto tensors = gguf_tensors(file, gguf_model_config(file), nullptr);
  const Json expected = Json::parse(golden_text(GetParam() + "_gguf.json"))["tensors"];
  ASSERT_EQ(tensors->list().size(), expected.size());
  for (const auto& [name, golden] : expected.items()) {
    SCOPED_TRACE(name);
    const StoredTensor tensor = tensors->load(name);
    EXPECT_EQ(tensor.info.shape, golden["shape"].get<std::vector<std::int64_t>>());
    const std::vector<float> floats = as_floats(tensor);
    EXPECT_EQ(base::sha256({reinterpret_cast<const char*>(floats.data()), floats.size() * 4}),
              golden["sha256"].get<std::string>());
  }
}

TEST_P(GgufModel, tokenizer_has_its_parts) {
  const std::string text = golden_text(GetParam() + ".gguf");
  const text::TokenizerParts parts = gguf_tokenizer_parts(GgufFile::parse(bytes_of(text), "model.gguf"));
  EXPECT_EQ(parts.split, GetParam() == "llama" ? text::Split::kGpt2Digits : text::Split::kQwen2);
  EXPECT_EQ(parts.nfc, GetParam() != "llama");
  ASSERT_EQ(parts.vocabulary.size(), 40u);
  EXPECT_EQ(parts.vocabulary[3], "a");
  EXPECT_EQ(parts.vocabulary[0], "");
  ASSERT_EQ(parts.added.size(), 3u);
  EXPECT_EQ(parts.added[1].content, "<|start|>");
  EXPECT_TRUE(parts.added[1].special);
  EXPECT_EQ(parts.added[2].id, 2);
  EXPECT_FALSE(parts.added[2].special);
  ASSERT_EQ(parts.merges.size(), 5u);
  EXPECT_EQ(parts.merges[3], (std::pair<std::string, std::string>{"hell", "o"}));
}

TEST(GgufNames, are_translated) {
  const ModelConfig config;
  EXPECT_EQ(hugging_face_name("token_embd.weight", config), "model.embed_tokens.weight");
  EXPECT_EQ(hugging_face_name("output.weight", config), "lm_head.weight");
  EXPECT_EQ(hugging_face_name("blk.0.ffn_norm.weight", config), "model.layers.0.post_attention_layernorm.weight");
  EXPECT_EQ(hugging_face_name("blk.27.attn_k.bias", config), "model.layers.27.self_attn.k_proj.bias");
  EXPECT_EQ(hugging_face_name("blk.3.attn_q_norm.weight", {.head_norms = true}),
            "model.layers.3.self_attn.q_norm.weight");
  for (const char* const other : {"", "blk.", "blk.1", "blk..attn_k.bias", "blk.01.attn_k.bias", "blk.x.attn_k.bias",
                                  "blk.12345.attn_k.bias", "blk.0.attn_q_norm.weight", "attn_k.bias", "output.bias"}) {
    EXPECT_EQ(hugging_face_name(other, config), std::nullopt) << other;
  }
}

// What llama.cpp writes: the arithmetic of Llama 3's scaling, as one factor a frequency.
std::vector<float> llama3_factors(double factor, double low, double high, double context, double theta, int head_dim) {
  std::vector<float> factors;
  for (int i = 0; i < head_dim; i += 2) {
    const double wavelength = 2 * M_PI * std::pow(theta, static_cast<double>(i) / head_dim);
    if (wavelength < context / high) {
      factors.push_back(1);
    } else if (wavelength > context / low) {
      factors.push_back(static_cast<float>(factor));
    } else {
      const double smooth = (context / wavelength - low) / (high - low);
      factors.push_back(static_cast<float>(1 / ((1 - smooth) / factor + smooth)));
    }
  }
  return factors;
}

TEST(GgufRopeFactors, become_llama3_scaling_or_nothing) {
  for (const double factor : {8.0, 32.0}) {
    const auto scaling = scaling_of_rope_factors(llama3_factors(factor, 1, 4, 8192, 500000, 128), 500000, 128);
    ASSERT_TRUE(scaling.has_value());
    EXPECT_EQ(scaling->kind, RopeScaling::Kind::kLlama3);
    EXPECT_EQ(scaling->factor, factor);
  }
  const auto none = scaling_of_rope_factors(std::vector<float>(32, 1.f), 10000, 64);
  ASSERT_TRUE(none.has_value());
  EXPECT_EQ(none->kind, RopeScaling::Kind::kNone);
  EXPECT_FALSE(scaling_of_rope_factors(llama3_factors(8, 1, 4, 4096, 500000, 128), 500000, 128).has_value());
  EXPECT_FALSE(scaling_of_rope_factors(std::vector<float>(32, 2.f), 10000, 64).has_value());
  EXPECT_FALSE(scaling_of_rope_factors(std::vector<float>(32, NAN), 10000, 64).has_value());
}

GgufBuilder small_llama() {
  GgufBuilder builder;
  builder.words("general.architecture", "llama")
      .number("llama.context_length", 64)
      .number("llama.embedding_length", 8)
      .number("llama.feed_forward_length", 16)
      .number("llama.block_count", 1)
      .number("llama.attention.head_count", 2)
      .real("llama.attention.layer_norm_rms_epsilon", 1e-5f)
      .zeros("token_embd.weight", {8, 5});
  return builder;
}

std::string model_error(const GgufBuilder& builder) {
  const std::string text = builder.file();
  return error_of([&] {
    const GgufFile file = GgufFile::parse(bytes_of(text), "a.gguf");
    gguf_tensors(file, gguf_model_config(file), nullptr);
  });
}

TEST(GgufModelErrors, name_the_metadata) {
  EXPECT_NO_THROW({
    const std::string text = small_llama().file();
    gguf_model_config(GgufFile::parse(bytes_of(text), "a.gguf"));
  });
  expect_contains(model_error(GgufBuilder()), "metadata \"general.architecture\" is missing");
  expect_contains(model_error(GgufBuilder().words("general.architecture", "gemma2")),
                  "architecture \"gemma2\"; supported are qwen2, llama, qwen3");
  expect_contains(model_error(GgufBuilder().words("general.architecture", "llama")),
                  "metadata \"llama.embedding_length\" is missing");
  expect_contains(model_error(small_llama().number("split.count", 3)), "is one of 3 parts");
  expect_contains(model_error(small_llama().number("llama.expert_count", 8)), "mixtures of experts are not supported");
  expect_contains(model_error(small_llama().number("llama.attention.sliding_window", 9)), "sliding windows");
  expect_contains(model_error(small_llama().number("llama.vocab_size", 6)),
                  "is 6, but \"token_embd.weight\" has 5 rows");
  expect_contains(model_error(small_llama().number("llama.rope.dimension_count", 2)), "on a part of each head");
  expect_contains(model_error(small_llama().number("llama.attention.value_length", 2)),
                  "differs from the length of keys");
  expect_contains(model_error(small_llama().number("llama.attention.head_count_kv", 3)),
                  "num_attention_heads (2) is not a multiple of num_key_value_heads (3)");
  expect_contains(model_error(small_llama().words("llama.rope.scaling.type", "yarn")),
                  "is \"yarn\"; supported are none");
  expect_contains(model_error(small_llama().real("llama.rope.freq_base", NAN)), "rope_theta is nan");
}

TEST(GgufModelErrors, name_the_tensor) {
  expect_contains(model_error(small_llama().zeros("blk.0.attn_q_norm.weight", {4})),
                  "tensor \"blk.0.attn_q_norm.weight\" has no place");
  expect_contains(model_error(small_llama().zeros("blk.1.ffn_norm.weight", {8})), "a layer beyond the 1 of the model");
  expect_contains(model_error(small_llama().zeros("blk.0.attn_q.weight", {8, 6})), "has 6 rows; expected 2 heads of 4");
  expect_contains(model_error(small_llama().zeros("rope_freqs.weight", {2})), "in another way than Llama 3 does");
  expect_contains(model_error(small_llama().zeros("rope_freqs.weight", {3})), "is not one F32 factor a frequency");
}

TEST(GgufTokenizer, a_text_begins_as_the_file_says) {
  const auto beginning = [](const char* pre, const std::function<void(GgufBuilder&)>& edit) {
    GgufBuilder builder;
    builder.words("tokenizer.ggml.model", "gpt2").words("tokenizer.ggml.pre", pre);
    builder.list("tokenizer.ggml.tokens", {"a", "<s>"}).numbers("tokenizer.ggml.token_type", {1, 3});
    builder.list("tokenizer.ggml.merges", {});
    edit(builder);
    const std::string bytes = builder.file();
    return gguf_tokenizer_parts(GgufFile::parse(bytes_of(bytes), "x.gguf")).before_text;
  };
  const auto adds = [](bool yes) {
    return [yes](GgufBuilder& file) {
      file.number("tokenizer.ggml.bos_token_id", 1)
          .raw("tokenizer.ggml.add_bos_token", GgufBuilder::kBool, std::string(1, yes ? 1 : 0));
    };
  };
  const auto names = [](GgufBuilder& file) { file.number("tokenizer.ggml.bos_token_id", 1); };
  using Ids = std::vector<text::TokenId>;
  EXPECT_EQ(beginning("qwen2", adds(true)), Ids{1});
  EXPECT_EQ(beginning("qwen2", adds(false)), Ids{});
  EXPECT_EQ(beginning("qwen2", names), Ids{});
  EXPECT_EQ(beginning("llama-bpe", names), Ids{1}) << "as llama.cpp reads it";
  EXPECT_EQ(beginning("llama-bpe", adds(false)), Ids{});
  expect_contains(error_of([&] {
                    beginning("llama-bpe", [](GgufBuilder& file) { file.number("tokenizer.ggml.bos_token_id", 2); });
                  }),
                  "none of its tokens");
}

TEST(GgufModelErrors, name_what_is_wrong_with_the_tokenizer) {
  const auto error = [](const GgufBuilder& builder) {
    const std::string text = builder.file();
    return error_of([&] { gguf_tokenizer_parts(GgufFile::parse(bytes_of(text), "a.gguf")); });
  };
  const auto good = [] {
    return GgufBuilder().words("tokenizer.ggml.model", "gpt2").words("tokenizer.ggml.pre", "qwen2");
  };
  expect_contains(error(GgufBuilder().words("tokenizer.ggml.model", "llama")), "kind \"llama\"; supported is gpt2");
  expect_contains(error(GgufBuilder().words("tokenizer.ggml.model", "gpt2").words("tokenizer.ggml.pre", "dbrx")),
                  "splits text as \"dbrx\" does");
  expect_contains(error(good()), "\"tokenizer.ggml.tokens\" is missing");
  expect_contains(error(good().list("tokenizer.ggml.tokens", {})), "has 0 tokens");
  expect_contains(error(good().list("tokenizer.ggml.tokens", {"a"}).numbers("tokenizer.ggml.token_type", {1, 1})),
                  "another number of token types");
  for (const char* const merge : {"", "ab", " a", "a ", "a b c"}) {
    expect_contains(error(good().list("tokenizer.ggml.tokens", {"a"}).list("tokenizer.ggml.merges", {merge})),
                    "that is not two tokens");
  }
}

}  // namespace
}  // namespace tritonrl::weights
