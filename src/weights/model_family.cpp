#include "weights/model_family.h"

#include <algorithm>

#include "base/check.h"

namespace tritonrl::weights {
namespace {

const ModelFamily kFamilies[] = {
    {.type = "qwen2",
     .name = "Qwen2",
     .defaults = {.architecture = Architecture::kQwen2, .max_position_embeddings = 32768, .qkv_bias = true},
     .has_windows = true},
    {.type = "llama",
     .name = "Llama",
     .defaults = {.architecture = Architecture::kLlama},
     .bos_token_id = 1,
     .eos_token_id = 2,
     .has_attention_bias = true,
     .has_mlp_bias = true,
     .has_head_dim = true,
     .gguf_weaves_heads = true},
    {.type = "qwen3",
     .name = "Qwen3",
     .defaults =
         {.architecture = Architecture::kQwen3, .head_dim = 128, .max_position_embeddings = 32768, .head_norms = true},
     .has_attention_bias = true,
     .has_windows = true,
     .has_head_dim = true},
};

}  // namespace

std::span<const ModelFamily> model_families() {
  return kFamilies;
}

const ModelFamily& family_of(const ModelConfig& config) {
  for (const ModelFamily& family : kFamilies) {
    if (family.defaults.architecture == config.architecture) return family;
  }
  TRL_CHECK(false, "an architecture without a family");
}

const ModelFamily* family_of_type(std::string_view type) {
  const auto* found = std::ranges::find_if(kFamilies, [&](const ModelFamily& family) { return family.type == type; });
  return found == std::end(kFamilies) ? nullptr : found;
}

}  // namespace tritonrl::weights
