#include "weights/model_config.h"

namespace tritonrl::weights {

std::int64_t ModelConfig::parameters() const {
  const std::int64_t q = num_attention_heads * head_dim, kv = num_key_value_heads * head_dim;
  std::int64_t layer = hidden_size * (q + 2 * kv) + q * hidden_size;  // q, k, v and o
  layer += 3 * hidden_size * intermediate_size + 2 * hidden_size;     // gate, up, down and two norms
  if (qkv_bias) layer += q + 2 * kv;
  if (output_bias) layer += hidden_size;
  if (mlp_bias) layer += 2 * intermediate_size + hidden_size;
  const std::int64_t embeddings = (tie_word_embeddings ? 1 : 2) * vocab_size * hidden_size;
  return embeddings + num_hidden_layers * layer + hidden_size;
}

}  // namespace tritonrl::weights
