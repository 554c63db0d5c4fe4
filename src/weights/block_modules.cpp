#include "weights/block_modules.h"

#include <algorithm>
#include <span>

namespace tritonrl::weights {
namespace {

using Size = std::int64_t (*)(const ModelConfig&);
using Flag = bool ModelConfig::*;

struct Row {
  std::string_view name;
  std::string_view gguf;
  Size rows;
  Size columns = nullptr;  // none: a norm
  Flag bias = nullptr;     // none: never
  Flag exists = nullptr;   // none: always

  bool is_in(const ModelConfig& config) const { return exists == nullptr || config.*exists; }
  ModuleInfo of(const ModelConfig& config) const {
    return {.name = name,
            .gguf = gguf,
            .rows = rows(config),
            .columns = columns == nullptr ? 0 : columns(config),
            .bias = bias != nullptr && config.*bias};
  }
};

constexpr Size kVocabulary = [](const ModelConfig& c) { return c.vocab_size; };
constexpr Size kHidden = [](const ModelConfig& c) { return c.hidden_size; };
constexpr Size kInner = [](const ModelConfig& c) { return c.intermediate_size; };
constexpr Size kQueries = [](const ModelConfig& c) { return c.num_attention_heads * c.head_dim; };
constexpr Size kHeadSize = [](const ModelConfig& c) { return c.head_dim; };
constexpr Size kKeys = [](const ModelConfig& c) { return c.num_key_value_heads * c.head_dim; };

constexpr Row kEmbedding = {"model.embed_tokens", "token_embd", kVocabulary, kHidden};
constexpr Row kNorm = {"model.norm", "output_norm", kHidden};
constexpr Row kHead = {"lm_head", "output", kVocabulary, kHidden};

constexpr Row kBlock[] = {
    {"input_layernorm", "attn_norm", kHidden},
    {"post_attention_layernorm", "ffn_norm", kHidden},
    {"self_attn.q_norm", "attn_q_norm", kHeadSize, nullptr, nullptr, &ModelConfig::head_norms},
    {"self_attn.k_norm", "attn_k_norm", kHeadSize, nullptr, nullptr, &ModelConfig::head_norms},
    {"self_attn.q_proj", "attn_q", kQueries, kHidden, &ModelConfig::qkv_bias},
    {"self_attn.k_proj", "attn_k", kKeys, kHidden, &ModelConfig::qkv_bias},
    {"self_attn.v_proj", "attn_v", kKeys, kHidden, &ModelConfig::qkv_bias},
    {"self_attn.o_proj", "attn_output", kHidden, kQueries, &ModelConfig::output_bias},
    {"mlp.gate_proj", "ffn_gate", kInner, kHidden, &ModelConfig::mlp_bias},
    {"mlp.up_proj", "ffn_up", kInner, kHidden, &ModelConfig::mlp_bias},
    {"mlp.down_proj", "ffn_down", kHidden, kInner, &ModelConfig::mlp_bias},
};

constexpr std::string_view kGgufBlock = "blk.";
constexpr std::size_t kLongestNumber = 4;

// "attn_q.bias" → "self_attn.q_proj.bias", where a row has that.
std::optional<std::string> renamed(std::span<const Row> rows, std::string_view name, const ModelConfig& config) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const std::string_view module = name.substr(0, dot), kind = name.substr(dot);
  const auto found =
      std::ranges::find_if(rows, [&](const Row& row) { return row.gguf == module && row.is_in(config); });
  if (found == rows.end() || (kind != ".weight" && !(kind == ".bias" && found->bias != nullptr))) return std::nullopt;
  return std::string(found->name).append(kind);
}

}  // namespace

ModuleInfo embedding_module(const ModelConfig& config) {
  return kEmbedding.of(config);
}

std::vector<ModuleInfo> block_modules(const ModelConfig& config) {
  std::vector<ModuleInfo> modules;
  for (const Row& row : kBlock) {
    if (row.is_in(config)) modules.push_back(row.of(config));
  }
  return modules;
}

std::vector<ModuleInfo> final_modules(const ModelConfig& config) {
  std::vector<ModuleInfo> modules = {kNorm.of(config)};
  if (!config.tie_word_embeddings) modules.push_back(kHead.of(config));
  return modules;
}

std::string block_prefix(std::size_t block) {
  return "model.layers." + std::to_string(block) + ".";
}

const std::vector<std::string>& linear_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (const Row& row : kBlock) {
      if (row.columns != nullptr) out.emplace_back(row.name.substr(row.name.rfind('.') + 1));
    }
    return out;
  }();
  return names;
}

std::string linear_names_text() {
  std::string text;
  for (const std::string& name : linear_names()) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::optional<std::string> hugging_face_name(std::string_view gguf_name, const ModelConfig& config) {
  constexpr Row kOutside[] = {kEmbedding, kNorm, kHead};
  if (!gguf_name.starts_with(kGgufBlock)) return renamed(kOutside, gguf_name, config);
  const std::string_view rest = gguf_name.substr(kGgufBlock.size());
  const std::size_t dot = rest.find('.');
  if (dot == std::string_view::npos || dot == 0 || dot > kLongestNumber) return std::nullopt;
  const std::string_view block = rest.substr(0, dot);
  const bool digits = std::all_of(block.begin(), block.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!digits || (block.size() > 1 && block[0] == '0')) return std::nullopt;
  const std::optional<std::string> inside = renamed(kBlock, rest.substr(dot + 1), config);
  if (!inside) return std::nullopt;
  return "model.layers." + std::string(block) + "." + *inside;
}

std::int64_t ModelConfig::parameters() const {
  const auto count = [](const std::vector<ModuleInfo>& modules) {
    std::int64_t sum = 0;
    for (const ModuleInfo& module : modules) {
      sum += module.is_matrix() ? module.rows * module.columns : module.rows;
      if (module.bias) sum += module.rows;
    }
    return sum;
  };
  return count({embedding_module(*this)}) + num_hidden_layers * count(block_modules(*this)) +
         count(final_modules(*this));
}

}  // namespace tritonrl::weights
