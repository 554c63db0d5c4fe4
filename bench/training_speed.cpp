// Tokens a second and peak memory of a training step on a GPU.
//   bench_training_speed            pre-training at the shape of models/embedded, and where its time goes
//   bench_training_speed MODEL      LoRA of a model in a folder, 4 sequences of 2,048 tokens, in 16 and 8 bits
// scripts/measure_training.sh runs both, the second beside transformers with peft.
#include <ATen/Context.h>
#include <c10/core/CachingDeviceAllocator.h>

#include <random>

#include "bench/kernel_profile.h"
#include "model/adapter.h"
#include "train/device_memory.h"
#include "train/memory_estimate.h"
#include "train/step.h"
#include "weights/model_files.h"

namespace {

using namespace tritonrl;
using namespace tritonrl::bench;
using namespace tritonrl::train;

const c10::Device kDevice(c10::kCUDA, 0);

// Random tokens; the first `prompt` of each sequence are not trained.
MicroBatch sequences(std::int64_t count, std::int64_t length, std::size_t prompt, std::int64_t vocabulary) {
  std::mt19937_64 engine(3);
  std::vector<Example> examples(static_cast<std::size_t>(count));
  std::vector<const Example*> pointers;
  for (Example& example : examples) {
    for (std::int64_t i = 0; i < length; ++i)
      example.tokens.push_back(static_cast<std::int32_t>(engine() % static_cast<std::uint64_t>(vocabulary)));
    example.prompt = prompt;
    pointers.push_back(&example);
  }
  return make_micro_batch(pointers);
}

struct Case {
  const char* name;
  StepOptions step;
  OptimizerOptions optimizer;
  int steps, profiled = 0;
};

void measure(const Case& each, model::Transformer& model, const MicroBatch& batch) {
  FlatParameters parameters(trained_parameters(model));
  Optimizer optimizer(parameters, each.optimizer);
  const auto alone = single_process();
  TrainingStep step(model, parameters, optimizer, *alone, each.step);
  const std::vector<MicroBatch> batches = {batch};
  const auto run = [&](int count) {
    for (int i = 0; i < count; ++i) step.run(batches, batch.labelled(), 1e-4, static_cast<std::uint64_t>(i));
    wait_for(kDevice);
  };
  c10::getDeviceAllocator(kDevice.type())->resetPeakStats(kDevice.index());
  run(2);
  const auto start = std::chrono::steady_clock::now();
  run(each.steps);
  const double seconds = seconds_since(start) / each.steps;
  std::printf("%-32s %9.0f tokens/s, %.1f ms a step, peak %s\n", each.name,
              static_cast<double>(batch.total()) / seconds, seconds * 1e3, gigabytes(peak_memory(kDevice)).c_str());
  if (each.profiled > 0) profile([&] { run(each.profiled); }, each.profiled, 40);
  std::fflush(stdout);
}

void pretraining() {
  weights::ModelConfig config;
  config.architecture = weights::Architecture::kLlama;
  config.vocab_size = 2112;
  config.hidden_size = 256;
  config.intermediate_size = 768;
  config.num_hidden_layers = 9;
  config.num_attention_heads = 4;
  config.num_key_value_heads = 2;
  config.head_dim = 64;
  config.max_position_embeddings = 4096;
  config.tie_word_embeddings = true;
  const auto model = model::Transformer::random(
      config, {.device = kDevice, .dtype = at::kBFloat16, .eight_bit = false, .trainable = true}, 3);
  measure({.name = "7.6M parameters, Muon",
           .step = {},
           .optimizer = {.kind = OptimizerKind::kMuon},
           .steps = 40,
           .profiled = 4},
          *model, sequences(60, 1092, 480, config.vocab_size));
}

void fine_tuning(const std::string& folder) {
  const auto files = weights::open_model(weights::find_local_model(folder).value());
  for (const bool eight_bit : {false, true}) {
    const auto model = model::Transformer::load(
        files, {.device = kDevice, .dtype = at::kBFloat16, .eight_bit = eight_bit, .trainable = false});
    model::add_adapter(*model, weights::AdapterConfig{}, 5);
    wait_for(kDevice);
    c10::getDeviceAllocator(kDevice.type())->resetPeakStats(kDevice.index());
    std::printf("weights and adapters: %s\n", gigabytes(peak_memory(kDevice)).c_str());
    const MicroBatch batch = sequences(4, 2048, 1, model->config().vocab_size);
    measure({.name = eight_bit ? "LoRA on 8 bits, recomputed" : "LoRA, recomputed",
             .step = {.recompute = true},
             .optimizer = {},
             .steps = 3},
            *model, batch);
    measure({.name = eight_bit ? "LoRA on 8 bits" : "LoRA", .step = {}, .optimizer = {}, .steps = 3}, *model, batch);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (!at::hasCUDA()) return std::fprintf(stderr, "bench_training_speed: torch finds no GPU\n"), 2;
  argc < 2 ? pretraining() : fine_tuning(argv[1]);
}
