#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "text/tokenizer/tokenizer_parts.h"
#include "weights/gguf.h"
#include "weights/model_config.h"
#include "weights/tensor_files.h"

namespace tritonrl::weights {

// A GGUF file read as a language model of ours. All throw UserError, naming the file and the metadata or tensor.

// What transformers reads from the same file, and besides it the scaling of rotary positions, which it leaves out.
ModelConfig gguf_model_config(const GgufFile& file);

// The tensors under Hugging Face's names and in its layout: rows of Llama's q and k in the order that transformers
// wants, quantised ones as F32. `bytes` keeps the file's bytes alive. Every tensor of the file must be one that the
// model uses.
std::shared_ptr<const TensorFiles> gguf_tensors(const GgufFile& file, const ModelConfig& config,
                                                std::shared_ptr<const void> bytes);

// Its tokenizer, which must be a byte-level BPE whose way of splitting we know.
text::TokenizerParts gguf_tokenizer_parts(const GgufFile& file);

// The scaling that llama.cpp's converter wrote as factors, one a frequency, into the tensor rope_freqs.weight. Empty if
// no scaling that config.json can name gives these factors.
std::optional<RopeScaling> scaling_of_rope_factors(std::span<const float> factors, double theta, std::int64_t head_dim);

}  // namespace tritonrl::weights
