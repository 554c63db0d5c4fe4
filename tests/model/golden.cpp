#include "tests/model/golden.h"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>

#include <random>

#include "model/stored_tensor.h"
#include "tests/paths.h"
#include "weights/safetensors.h"

namespace tritonrl::model {
namespace {

// Models this small gain nothing from more, and threads of tests that run beside each other wait for one another.
const bool kFewThreads = (at::set_num_threads(2), true);

}  // namespace

const std::vector<std::string>& Golden::names() {
  static const std::vector<std::string> names = {"qwen2_tied",   "qwen2_untied", "llama_tied",  "llama_untied",
                                                 "llama_biases", "qwen3_tied",   "qwen3_untied"};
  return names;
}

Golden::Golden(const std::string& name)
    : folder_(std::filesystem::path(source_path("tests/model/goldens")) / name),
      expected_(weights::open_safetensors(folder_ / "expected.safetensors")) {}

std::unique_ptr<Transformer> Golden::load(const ModelOptions& options) const {
  return Transformer::load(weights::open_model({weights::ModelLocation::Kind::kFolder, folder_}), options);
}

at::Tensor Golden::expected(const std::string& name) const {
  return as_tensor(expected_->load(name));
}

bool Golden::has(const std::string& name) const {
  return expected_->find(name) != nullptr;
}

std::vector<std::vector<std::int32_t>> Golden::sequences() const {
  const at::Tensor tokens = expected("tokens");
  const at::Tensor lengths = expected("lengths");
  std::vector<std::vector<std::int32_t>> sequences;
  const auto* from = tokens.const_data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < lengths.size(0); ++i) {
    const std::int64_t length = lengths.const_data_ptr<std::int64_t>()[i];
    sequences.emplace_back(from, from + length);
    from += length;
  }
  return sequences;
}

PackedBatch Golden::batch() const {
  return PackedBatch::make(sequences(), c10::Device(c10::kCPU));
}

double relative_error(const at::Tensor& got, const at::Tensor& expected) {
  const at::Tensor g = got.detach().to(at::kCPU, at::kDouble);
  const at::Tensor e = expected.to(at::kCPU, at::kDouble);
  return ((g - e).abs().max() / e.abs().max()).item<double>();
}

std::unique_ptr<Transformer> small_random_model(std::uint64_t seed, const ModelOptions& options) {
  weights::ModelConfig config;
  config.architecture = weights::Architecture::kQwen2;
  config.vocab_size = 200;
  config.hidden_size = 64;
  config.intermediate_size = 96;
  config.num_hidden_layers = 2;
  config.num_attention_heads = 4;
  config.num_key_value_heads = 2;
  config.head_dim = 16;
  config.max_position_embeddings = 512;
  config.qkv_bias = true;
  config.tie_word_embeddings = true;
  config.initializer_range = 0.15;  // livelier than a fresh model, so that answers differ
  return Transformer::random(config, options, seed);
}

std::vector<std::int32_t> random_tokens(std::size_t count, std::uint64_t seed, std::int32_t vocabulary) {
  std::mt19937_64 engine(seed);
  std::vector<std::int32_t> tokens(count);
  for (std::int32_t& token : tokens)
    token = static_cast<std::int32_t>(engine() % static_cast<std::uint64_t>(vocabulary));
  return tokens;
}

}  // namespace tritonrl::model
