#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weights/model_config.h"

namespace tritonrl::weights {

// The modules of a model, told once: what loading, saving, training, adapters, GGUF files and the count of parameters
// follow. Each has a weight, some a bias.
struct ModuleInfo {
  std::string_view name;     // Hugging Face's: "model.norm", or inside a block "self_attn.q_proj"
  std::string_view gguf;     // llama.cpp's: "output_norm", "attn_q"
  std::int64_t rows = 0;     // or the length of a norm
  std::int64_t columns = 0;  // 0: a norm
  bool bias = false;

  bool is_matrix() const { return columns > 0; }
  std::vector<std::int64_t> shape() const { return is_matrix() ? std::vector{rows, columns} : std::vector{rows}; }
};

// In the order in which they are stored: the embedding, all blocks, then the final norm and the head of a model whose
// embeddings are not tied.
ModuleInfo embedding_module(const ModelConfig& config);
std::vector<ModuleInfo> block_modules(const ModelConfig& config);
std::vector<ModuleInfo> final_modules(const ModelConfig& config);

std::string block_prefix(std::size_t block);  // "model.layers.3."

// The matrices of a block by the last component of their names, as PEFT's target_modules has them: "q_proj", …
const std::vector<std::string>& linear_names();
std::string linear_names_text();  // with commas, for messages

// "blk.3.attn_q.weight" → "model.layers.3.self_attn.q_proj.weight"; empty if such a model has no such tensor.
std::optional<std::string> hugging_face_name(std::string_view gguf_name, const ModelConfig& config);

}  // namespace tritonrl::weights
