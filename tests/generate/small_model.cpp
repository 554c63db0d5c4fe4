#include "tests/generate/small_model.h"

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <random>

#include "generate/tensor_draws.h"
#include "generate/tensor_sampler.h"
#include "model/packed_batch.h"
#include "text/tokenizer/byte_alphabet.h"

namespace tritonrl::generate {
namespace {

at::Tensor float_logits(const model::Transformer& model, const std::vector<std::int32_t>& tokens) {
  const at::NoGradGuard no_gradients;
  const std::vector<std::vector<std::int32_t>> sequences = {tokens};
  const model::PackedBatch batch = model::PackedBatch::make(sequences, model.options().device);
  return model.logits(model.hidden_states(batch)).to(at::kFloat);
}

}  // namespace

std::unique_ptr<model::Transformer> small_model(std::int64_t max_position, const model::ModelOptions& options) {
  // Too small for more than one thread, and on a busy machine threads wait for each other.
  at::set_num_threads(1);
  weights::ModelConfig config;
  config.architecture = weights::Architecture::kLlama;
  config.vocab_size = kVocabulary;
  config.hidden_size = 64;
  config.intermediate_size = 128;
  config.num_hidden_layers = 2;
  config.num_attention_heads = 4;
  config.num_key_value_heads = 2;
  config.head_dim = 16;
  config.max_position_embeddings = max_position;
  config.initializer_range = 0.3;
  config.eos_token_ids = {kEndOfTurn};
  return model::Transformer::random(config, options, /*seed=*/1);
}

text::Tokenizer small_tokenizer() {
  text::TokenizerParts parts;
  for (const std::string& byte : text::byte_alphabet()) parts.vocabulary.push_back(byte);
  for (int piece = 256; piece < kEndOfTurn; ++piece) {
    const std::string letters = {static_cast<char>('a' + piece % 7), static_cast<char>('a' + piece / 7 % 7),
                                 static_cast<char>('a' + piece / 49 % 7)};
    parts.vocabulary.push_back(letters);
  }
  parts.added.push_back({.id = kEndOfTurn, .content = "<|end|>", .special = true});
  parts.split = text::Split::kGpt2;
  return text::Tokenizer::from_parts(std::move(parts), "the test");
}

std::vector<GenerateRequest> some_requests(int count, const SamplingOptions& sampling) {
  std::mt19937 random(17);
  std::vector<GenerateRequest> requests;
  for (int i = 0; i < count; ++i) {
    GenerateRequest request;
    request.id = "request " + std::to_string(i);
    request.prompt.resize(1 + random() % 40);
    for (std::int32_t& token : request.prompt) token = static_cast<std::int32_t>(random() % kVocabulary);
    request.seed = random();
    request.sampling = sampling;
    request.sampling.stop_tokens = {3, 77, 200};
    requests.push_back(std::move(request));
  }
  return requests;
}

record::Sample by_the_book(const model::Transformer& model, const GenerateRequest& request, int index) {
  record::Sample sample;
  sample.seed = sample_seed(request.seed, index);
  std::vector<std::int32_t> all = request.prompt;
  const SamplingOptions* options = &request.sampling;
  const TensorRows rows = TensorRows::make({&options, 1}, kVocabulary, c10::kCPU);
  while (static_cast<int>(sample.tokens.size()) < request.sampling.max_new_tokens) {
    at::Tensor seen = at::tensor(std::vector<std::int64_t>(kVocabulary)).ne(0).unsqueeze(0);
    for (const std::int32_t token : all) seen.data_ptr<bool>()[token] = true;
    const auto step = static_cast<std::int64_t>(sample.tokens.size());
    const at::Tensor key = draw_keys(sample.seed, step + 1).narrow(0, step, 1);
    const at::Tensor logits = float_logits(model, all);
    const Sampled next = sample_by_tensors(logits.narrow(0, logits.size(0) - 1, 1), rows, key, seen);
    const auto token = static_cast<std::int32_t>(next.tokens.item<std::int64_t>());
    sample.tokens.push_back(token);
    sample.log_probabilities.push_back(next.log_probabilities.item<float>());
    all.push_back(token);
    if (token == kEndOfTurn || std::ranges::find(options->stop_tokens, token) != options->stop_tokens.end()) break;
  }
  return sample;
}

std::vector<float> log_probabilities_of(const model::Transformer& model, const record::Sample& sample) {
  std::vector<std::int32_t> all = sample.prompt;
  all.insert(all.end(), sample.tokens.begin(), sample.tokens.end());
  const at::Tensor all_log_probabilities = at::log_softmax(float_logits(model, all), 1);
  std::vector<float> out;
  for (std::size_t i = 0; i < sample.tokens.size(); ++i) {
    out.push_back(
        all_log_probabilities.const_data_ptr<float>()[(sample.prompt.size() + i - 1) * kVocabulary + sample.tokens[i]]);
  }
  return out;
}

}  // namespace tritonrl::generate
