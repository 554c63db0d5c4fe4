#include "generate/engine.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "generate/engine_run.h"
#include "generate/request_check.h"

namespace tritonrl::generate {
namespace {

EngineOptions fitted(EngineOptions options, const weights::ModelConfig& config) {
  if (options.slots < 1) throw base::UserError("generate", "slots must be at least 1");
  if (options.capacity < 2) throw base::UserError("generate", "the capacity must hold a prompt and an answer");
  options.capacity = std::min(options.capacity, config.max_position_embeddings);
  return options;
}

}  // namespace

Engine::Engine(const model::Transformer& model, text::Tokenizer tokenizer, const EngineOptions& options)
    : model_(model),
      tokenizer_(std::move(tokenizer)),
      options_(fitted(options, model.config())),
      stop_tokens_(model.config().eos_token_ids.begin(), model.config().eos_token_ids.end()),
      decoder_(model, {.slots = options_.slots, .capacity = options_.capacity, .cache_dtype = options_.cache_dtype}),
      sampler_({.lanes = options_.slots,
                .steps = options_.capacity,
                .vocabulary = model.config().vocab_size,
                .device = model.options().device,
                .native = options_.native_sampling}) {}

std::vector<record::Sample> Engine::generate(std::span<const GenerateRequest> requests, const GenerateEvents& events) {
  const RequestLimits limits{.vocabulary = model_.config().vocab_size, .context = options_.capacity};
  for (const GenerateRequest& request : requests) check(request, limits);
  const at::NoGradGuard no_gradients;
  return EngineRun(*this, requests, events).run();
}

}  // namespace tritonrl::generate
