#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/ScalarType.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "generate/generator.h"
#include "generate/sampler.h"
#include "model/decoder.h"
#include "model/transformer.h"
#include "text/tokenizer/tokenizer.h"

namespace tritonrl::generate {

struct EngineOptions {
  int slots = 32;                // samples that grow at once
  std::int64_t capacity = 2048;  // tokens of prompt and answer together; at most the model's own limit
  std::optional<c10::ScalarType> cache_dtype = std::nullopt;  // of keys and values; none: the model's
  std::int64_t prefill_tokens = 4096;  // prompts that start together hold at most this many, or are one
  bool native_sampling = true;         // on the CPU; see SamplerOptions::native
};

// Samples from our own model. Requests wait in a queue; as samples finish, the next take their slots, so a batch stays
// full. A request's prompt is computed once and its samples continue from there (with a single slot, once a sample).
//
// What a sample says depends on its request, its index and the weights alone, not on the others, their order or the
// number of slots, up to the rounding of a model whose products round differently in another batch.
//
// Not thread-safe. The model must outlive it; its weights may change between calls.
class Engine : public Generator {
 public:
  Engine(const model::Transformer& model, text::Tokenizer tokenizer, const EngineOptions& options = {});

  std::vector<record::Sample> generate(std::span<const GenerateRequest> requests,
                                       const GenerateEvents& events = {}) override;

  const EngineOptions& options() const { return options_; }

 private:
  friend class EngineRun;

  const model::Transformer& model_;
  text::Tokenizer tokenizer_;
  EngineOptions options_;
  std::vector<std::int32_t> stop_tokens_;
  model::Decoder decoder_;
  Sampler sampler_;
};

}  // namespace tritonrl::generate
