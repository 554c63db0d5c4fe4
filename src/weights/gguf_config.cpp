#include <algorithm>
#include <cmath>

#include "weights/gguf_model.h"
#include "weights/model_config_bounds.h"
#include "weights/model_family.h"

namespace tritonrl::weights {
namespace {

// A metadata value of the architecture: "llama.block_count".
class ArchitectureValues {
 public:
  ArchitectureValues(const GgufFile& file, std::string_view architecture)
      : file_(file), prefix_(std::string(architecture) + ".") {}

  bool has(const std::string& name) const { return file_.has(prefix_ + name); }
  std::int64_t integer(const std::string& name) const { return file_.integer(prefix_ + name); }
  double number(const std::string& name) const { return file_.number(prefix_ + name); }
  std::string_view text(const std::string& name) const { return file_.text(prefix_ + name); }
  std::int64_t integer_or(const std::string& name, std::int64_t otherwise) const {
    return has(name) ? integer(name) : otherwise;
  }
  [[noreturn]] void fail(const std::string& name, const std::string& problem) const {
    file_.fail("metadata \"" + prefix_ + name + "\" " + problem);
  }

 private:
  const GgufFile& file_;
  std::string prefix_;
};

const ModelFamily& read_family(const GgufFile& file) {
  const std::string_view name = file.text("general.architecture");
  if (const ModelFamily* const family = family_of_type(name)) return *family;
  std::string types;
  for (const ModelFamily& family : model_families()) types += std::string(types.empty() ? "" : ", ") + family.type;
  file.fail("holds a model of architecture \"" + shown(name) + "\"; supported are " + types);
}

void read_heads(const ArchitectureValues& values, ModelConfig& config) {
  config.num_attention_heads = values.integer("attention.head_count");
  config.num_key_value_heads = values.integer_or("attention.head_count_kv", config.num_attention_heads);
  if (values.has("attention.key_length")) {
    config.head_dim = values.integer("attention.key_length");
  } else {
    if (config.num_attention_heads < 1 || config.hidden_size % config.num_attention_heads != 0) {
      values.fail("attention.head_count", "does not divide the embedding_length");
    }
    config.head_dim = config.hidden_size / config.num_attention_heads;
  }
  if (values.integer_or("attention.value_length", config.head_dim) != config.head_dim) {
    values.fail("attention.value_length", "differs from the length of keys; that is not supported");
  }
  if (values.integer_or("rope.dimension_count", config.head_dim) != config.head_dim) {
    values.fail("rope.dimension_count",
                "differs from the length of a head; rotary positions on a part of each head are not supported");
  }
}

void read_rope(const GgufFile& file, const ArchitectureValues& values, ModelConfig& config) {
  if (values.has("rope.freq_base")) config.rope_theta = values.number("rope.freq_base");
  if (values.has("rope.scaling.type")) {
    const std::string_view type = values.text("rope.scaling.type");
    if (type == "linear") {
      config.rope_scaling = {.kind = RopeScaling::Kind::kLinear, .factor = values.number("rope.scaling.factor")};
    } else if (type != "none") {
      values.fail("rope.scaling.type", "is \"" + shown(type) + "\"; supported are none, linear and llama3's factors");
    }
  } else if (values.has("rope.scale_linear") && values.number("rope.scale_linear") != 1) {
    config.rope_scaling = {.kind = RopeScaling::Kind::kLinear, .factor = values.number("rope.scale_linear")};
  }
  const GgufTensor* const factors = file.find("rope_freqs.weight");
  if (factors == nullptr) return;
  if (factors->type != GgufType::kF32 || factors->shape.size() != 1 || config.head_dim < 2 ||
      factors->shape[0] != config.head_dim / 2 || config.rope_scaling.kind != RopeScaling::Kind::kNone) {
    file.fail("tensor \"rope_freqs.weight\" is not one F32 factor a frequency, without another scaling");
  }
  std::vector<float> numbers(static_cast<std::size_t>(factors->shape[0]));
  std::copy_n(factors->data.data(), factors->data.size(), reinterpret_cast<std::byte*>(numbers.data()));
  const std::optional<RopeScaling> scaling = scaling_of_rope_factors(numbers, config.rope_theta, config.head_dim);
  if (!scaling) file.fail("tensor \"rope_freqs.weight\" scales rotary positions in another way than Llama 3 does");
  config.rope_scaling = *scaling;
}

void refuse_what_is_not_built(const ArchitectureValues& values) {
  if (values.integer_or("expert_count", 0) != 0)
    values.fail("expert_count", "is set; mixtures of experts are not supported");
  if (values.integer_or("attention.sliding_window", 0) != 0) {
    values.fail("attention.sliding_window", "is set; attention over sliding windows is not supported");
  }
}

}  // namespace

std::optional<RopeScaling> scaling_of_rope_factors(std::span<const float> factors, double theta,
                                                   std::int64_t head_dim) {
  // Llama 3.1 to 3.3 differ in the factor only, which the lowest frequency shows whole.
  RopeScaling scaling;
  scaling.factor = factors.empty() ? 1 : factors.back();
  if (!(scaling.factor >= 1 && scaling.factor <= kLargestRopeFactor)) return std::nullopt;
  if (scaling.factor > 1) scaling.kind = RopeScaling::Kind::kLlama3;
  const auto context = static_cast<double>(scaling.original_max_position);
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const double frequency = std::pow(theta, -2.0 * static_cast<double>(i) / static_cast<double>(head_dim));
    const double turns = context * frequency / (2 * M_PI);  // within the context that the model was first trained on
    double expected = 1;
    if (scaling.factor > 1 && turns <= scaling.high_freq_factor) {
      const double smooth =
          std::max(0.0, (turns - scaling.low_freq_factor) / (scaling.high_freq_factor - scaling.low_freq_factor));
      expected = 1 / ((1 - smooth) / scaling.factor + smooth);
    }
    if (!(std::abs(factors[i] - expected) <= 1e-4 * expected)) return std::nullopt;
  }
  return scaling;
}

ModelConfig gguf_model_config(const GgufFile& file) {
  if (file.has("split.count") && file.integer("split.count") > 1) {
    file.fail("is one of " + std::to_string(file.integer("split.count")) + " parts; merge them into one file first");
  }
  const ModelFamily& family = read_family(file);
  ModelConfig config = family.defaults;
  const ArchitectureValues values(file, family.type);
  refuse_what_is_not_built(values);
  config.hidden_size = values.integer("embedding_length");
  config.intermediate_size = values.integer("feed_forward_length");
  config.num_hidden_layers = values.integer("block_count");
  config.max_position_embeddings = values.integer("context_length");
  config.rms_norm_eps = values.number("attention.layer_norm_rms_epsilon");
  read_heads(values, config);
  read_rope(file, values, config);

  const GgufTensor* const embeddings = file.find("token_embd.weight");
  if (embeddings == nullptr || embeddings->shape.size() != 2) file.fail("has no matrix \"token_embd.weight\"");
  config.vocab_size = values.integer_or("vocab_size", embeddings->shape[0]);
  if (config.vocab_size != embeddings->shape[0]) {
    values.fail("vocab_size", "is " + std::to_string(config.vocab_size) + ", but \"token_embd.weight\" has " +
                                  std::to_string(embeddings->shape[0]) + " rows");
  }
  config.dtype = loaded_dtype(embeddings->type);
  config.tie_word_embeddings = file.find("output.weight") == nullptr;
  config.qkv_bias = file.find("blk.0.attn_q.bias") != nullptr;
  config.output_bias = file.find("blk.0.attn_output.bias") != nullptr;
  config.mlp_bias = file.find("blk.0.ffn_up.bias") != nullptr;
  if (file.has("tokenizer.ggml.bos_token_id")) config.bos_token_id = file.integer("tokenizer.ggml.bos_token_id");
  if (file.has("tokenizer.ggml.eos_token_id")) config.eos_token_ids = {file.integer("tokenizer.ggml.eos_token_id")};
  check_model_config(config, file.where());
  return config;
}

}  // namespace tritonrl::weights
