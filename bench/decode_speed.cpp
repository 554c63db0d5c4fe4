// CPU decoding of a model of five million parameters beside transformers' generate, in one run, on the same weights and
// prompts, greedily: batch 32, prompt 400, 600 new tokens.
//   bench_decode_speed [threads=2] [new=600]      needs TRITONRL_REFERENCE_PYTHON with transformers
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/argmax.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/stack.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>

#include "base/subprocess.h"
#include "model/decoder.h"
#include "model/save_model.h"
#include "model/stored_tensor.h"
#include "peer_run.h"
#include "tests/paths.h"
#include "weights/safetensors.h"

using namespace tritonrl;

namespace {

constexpr int kBatch = 32;
constexpr std::int64_t kPrompt = 400;

weights::ModelConfig five_million() {
  weights::ModelConfig config;
  config.architecture = weights::Architecture::kLlama;
  config.vocab_size = 2048;
  config.hidden_size = 256;
  config.intermediate_size = 704;
  config.num_hidden_layers = 6;
  config.num_attention_heads = 4;
  config.num_key_value_heads = 4;
  config.head_dim = 64;
  config.max_position_embeddings = 2048;
  config.tie_word_embeddings = true;
  config.initializer_range = 0.08;
  return config;
}

struct Run {
  double seconds = 0;
  at::Tensor tokens;  // [batch, new]
};

Run decode(const model::Transformer& model, const at::Tensor& prompts, int new_tokens, bool shared,
           std::optional<at::ScalarType> cache) {
  model::Decoder decoder(model, {.slots = kBatch, .capacity = kPrompt + new_tokens, .cache_dtype = cache});
  std::vector<int> slots(kBatch);
  std::iota(slots.begin(), slots.end(), 0);
  std::vector<std::vector<std::int32_t>> rows;
  for (int i = 0; i < kBatch; ++i) {
    const at::Tensor row = prompts[i].to(at::kInt).contiguous();
    rows.emplace_back(row.const_data_ptr<std::int32_t>(), row.const_data_ptr<std::int32_t>() + kPrompt);
  }
  const auto start = std::chrono::steady_clock::now();
  std::vector<model::Decoder::Prompt> requests;
  for (int i = 0; i < (shared ? 1 : kBatch); ++i) requests.push_back({i, rows[static_cast<std::size_t>(i)]});
  at::Tensor next = decoder.prefill(requests).argmax(-1);
  if (shared) {
    for (int i = 1; i < kBatch; ++i) decoder.fork(0, i);
    next = next.expand({kBatch}).contiguous();
  }
  std::vector<at::Tensor> tokens = {next};
  while (static_cast<int>(tokens.size()) < new_tokens) {
    next = decoder.step(next, slots).argmax(-1);
    tokens.push_back(next);
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  return {seconds.count(), at::stack(tokens, 1)};
}

Run best_of_two(const model::Transformer& model, const at::Tensor& prompts, int new_tokens, bool shared,
                std::optional<at::ScalarType> cache) {
  Run first = decode(model, prompts, new_tokens, shared, cache);
  Run second = decode(model, prompts, new_tokens, shared, cache);
  return first.seconds < second.seconds ? first : second;
}

// Tokens before the first that differs, as a share of all, over the batch.
double agreement(const at::Tensor& a, const at::Tensor& b) {
  return a.eq(b).to(at::kInt).cumprod(1).to(at::kDouble).mean().item<double>();
}

}  // namespace

int main(int argc, char** argv) {
  int threads = 2;
  int new_tokens = 600;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.starts_with("threads=")) threads = std::stoi(word.substr(8));
    if (word.starts_with("new=")) new_tokens = std::stoi(word.substr(4));
  }
  at::set_num_threads(threads);
  const at::NoGradGuard no_grad;
  const auto model = model::Transformer::random(five_million(), {}, 1);
  const auto low = model::Transformer::random(five_million(), {.dtype = c10::kBFloat16}, 1);
  const at::Tensor prompts = at::randint(2048, {kBatch, kPrompt}, at::kLong);
  std::printf("%.2f M parameters, batch %d, prompt %ld, %d new tokens, %d threads\n",
              static_cast<double>(model->config().parameters()) / 1e6, kBatch, kPrompt, new_tokens, threads);

  double reference = 0;
  at::Tensor expected;
  if (const char* python = std::getenv("TRITONRL_REFERENCE_PYTHON")) {
    const bench::TemporaryFolder scratch("decode_speed");
    const std::string folder = scratch.path.string();
    model::save_model(*model, folder + "/model");
    weights::write_safetensors(folder + "/prompts.safetensors", {model::to_write("prompts", prompts)});
    const auto result = base::run_command(
        {python, source_path("bench/decode_reference.py"), folder, std::to_string(new_tokens), std::to_string(threads)},
        std::chrono::minutes(20));
    if (result.exit_code != 0) {
      std::fprintf(stderr, "%s\n", result.errors.c_str());
      return 3;
    }
    reference = std::stod(result.output);
    expected = model::as_tensor(weights::open_safetensors(folder + "/tokens.safetensors")->load("tokens")).clone();
    std::printf("%-44s %7.2f s  %8.0f tokens/s\n", "transformers generate, fp32", reference,
                kBatch * new_tokens / reference);
  }
  const auto report = [&](const char* name, const Run& run, bool comparable) {
    std::printf("%-44s %7.2f s  %8.0f tokens/s", name, run.seconds, kBatch * new_tokens / run.seconds);
    if (reference > 0) std::printf("  %.2fx", reference / run.seconds);
    if (comparable && expected.defined()) std::printf("  same tokens %.1f %%", 100 * agreement(run.tokens, expected));
    std::printf("\n");
    std::fflush(stdout);
  };
  report("ours, fp32", best_of_two(*model, prompts, new_tokens, false, {}), true);
  report("ours, fp32, bf16 cache", best_of_two(*model, prompts, new_tokens, false, c10::kBFloat16), true);
  report("ours, bf16 weights and cache", best_of_two(*low, prompts, new_tokens, false, {}), true);
  report("ours, fp32, one prompt shared", best_of_two(*model, prompts, new_tokens, true, {}), false);
  report("ours, bf16 cache, one prompt shared", best_of_two(*model, prompts, new_tokens, true, c10::kBFloat16), false);
  report("ours, bf16 weights, cache, prompt shared", best_of_two(*low, prompts, new_tokens, true, {}), false);
}
