// The estimate of a training step's memory (train/memory_estimate.h) against the peak of torch's allocator on a GPU,
// for layers of the shapes of real models with random weights.
//
//   bench_training_memory
#include <ATen/Context.h>
#include <ATen/ops/empty.h>
#include <c10/core/CachingDeviceAllocator.h>

#include <algorithm>
#include <cstdio>
#include <random>

#include "model/adapter.h"
#include "train/device_memory.h"
#include "train/memory_estimate.h"
#include "train/step.h"

namespace {

using namespace tritonrl;
using namespace tritonrl::train;

// Few layers: random weights are drawn on the host, and every layer is like the others.
weights::ModelConfig shape(std::int64_t vocabulary, std::int64_t hidden, std::int64_t inner, std::int64_t layers,
                           std::int64_t heads, std::int64_t kv_heads, std::int64_t head_dim) {
  weights::ModelConfig config;
  config.architecture = weights::Architecture::kQwen2;
  config.vocab_size = vocabulary;
  config.hidden_size = hidden;
  config.intermediate_size = inner;
  config.num_hidden_layers = layers;
  config.num_attention_heads = heads;
  config.num_key_value_heads = kv_heads;
  config.head_dim = head_dim;
  config.max_position_embeddings = 4096;
  config.qkv_bias = true;
  config.tie_word_embeddings = true;
  return config;
}

struct Case {
  const char* name;
  weights::ModelConfig config;
  bool lora = true, eight_bit = false, recompute = false;
  std::int64_t tokens = 4096;
  OptimizerKind optimizer = OptimizerKind::kAdamW;
};

std::vector<Example> sequences(std::int64_t tokens, std::int64_t vocabulary) {
  std::mt19937_64 engine(3);
  std::vector<Example> out;
  constexpr std::int64_t kLengths[] = {2048, 1500, 548};
  for (std::size_t next = 0; tokens > 0; ++next) {
    Example example;
    const std::int64_t length = std::min(kLengths[next % 3], tokens);
    for (std::int64_t i = 0; i < length; ++i)
      example.tokens.push_back(static_cast<std::int32_t>(engine() % static_cast<std::uint64_t>(vocabulary)));
    example.prompt = 1;
    tokens -= length;
    out.push_back(std::move(example));
  }
  return out;
}

void measure(const Case& each, c10::Device device) {
  const MemoryQuestion question{.config = each.config,
                                .adapter = each.lora ? std::optional(weights::AdapterConfig{}) : std::nullopt,
                                .element = 2,
                                .eight_bit = each.eight_bit,
                                .recompute = each.recompute,
                                .pass_tokens = each.tokens,
                                .optimizer = each.optimizer,
                                .gpu = true};
  c10::getDeviceAllocator(device.type())->resetPeakStats(device.index());
  const std::int64_t before = peak_memory(device);
  {
    const auto model = model::Transformer::random(
        each.config, {.device = device, .dtype = at::kBFloat16, .eight_bit = each.eight_bit, .trainable = !each.lora},
        3);
    if (each.lora) model::add_adapter(*model, *question.adapter, 5);
    FlatParameters parameters(trained_parameters(*model));
    Optimizer optimizer(parameters, {.kind = each.optimizer});
    const auto alone = single_process();
    TrainingStep step(*model, parameters, optimizer, *alone, {.recompute = each.recompute});
    const std::vector<Example> examples = sequences(each.tokens, each.config.vocab_size);
    std::vector<const Example*> pointers;
    for (const Example& example : examples) pointers.push_back(&example);
    const std::vector<MicroBatch> batches = {make_micro_batch(pointers)};
    const at::Tensor first = parameters.values().clone();
    for (int i = 0; i < 2; ++i) step.run(batches, batches.front().labelled(), 1e-4, 7).loss.item<float>();
  }
  const std::int64_t measured = peak_memory(device) - before;
  const std::int64_t estimated = estimate_memory(question).total();
  std::printf("%-44s estimate %9s  measured %9s  ratio %.3f\n", each.name, gigabytes(estimated).c_str(),
              gigabytes(measured).c_str(), static_cast<double>(estimated) / static_cast<double>(measured));
  std::fflush(stdout);
}

}  // namespace

int main() {
  if (!at::hasCUDA()) {
    std::fprintf(stderr, "bench_training_memory: torch finds no GPU\n");
    return 2;
  }
  const c10::Device device(c10::kCUDA, 0);
  const auto coder_7b = shape(152064, 3584, 18944, 4, 28, 4, 128),
             coder_1_5b = shape(151936, 1536, 8960, 6, 12, 2, 128);
  const auto small = shape(3072, 256, 768, 9, 4, 2, 64);
  const Case cases[] = {
      {.name = "4 layers of 7B, LoRA", .config = coder_7b},
      {.name = "4 layers of 7B, LoRA, recomputed", .config = coder_7b, .recompute = true},
      {.name = "4 layers of 7B, LoRA on 8 bits", .config = coder_7b, .eight_bit = true},
      {.name = "4 layers of 7B, LoRA on 8 bits, recomputed", .config = coder_7b, .eight_bit = true, .recompute = true},
      {.name = "6 layers of 1.5B, all parameters", .config = coder_1_5b, .lora = false},
      {.name = "6 layers of 1.5B, all parameters, recomputed", .config = coder_1_5b, .lora = false, .recompute = true},
      {.name = "7.9M parameters, Muon", .config = small, .lora = false, .optimizer = OptimizerKind::kMuon},
  };
  (void)at::empty({1}, at::TensorOptions().device(device));  // the allocator's figures begin with its first piece
  for (const Case& each : cases) measure(each, device);
}
