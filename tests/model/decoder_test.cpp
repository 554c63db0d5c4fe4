#include "model/decoder.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/model/golden.h"

namespace tritonrl::model {
namespace {

std::vector<std::int64_t> greedy(Decoder& decoder, int slot, const std::vector<std::int32_t>& prompt, int count) {
  const Decoder::Prompt request{slot, prompt};
  at::Tensor next = decoder.prefill({&request, 1}).argmax(-1);
  std::vector<std::int64_t> tokens(prompt.begin(), prompt.end());
  for (int i = 0; i < count; ++i) {
    tokens.push_back(next.item<std::int64_t>());
    if (i + 1 < count) next = decoder.step(next, {&slot, 1}).argmax(-1);
  }
  return tokens;
}

at::Tensor uncached(const Transformer& model, const std::vector<std::int32_t>& tokens) {
  const at::NoGradGuard no_grad;
  const std::vector<std::vector<std::int32_t>> sequences = {tokens};
  const at::Tensor hidden = model.hidden_states(PackedBatch::make(sequences, c10::Device(c10::kCPU)));
  return model.logits(hidden.narrow(0, hidden.size(0) - 1, 1));
}

class GreedyParity : public testing::TestWithParam<std::string> {};

TEST_P(GreedyParity, TwoHundredTokensAreThoseOfTransformersOnBothCaches) {
  const Golden golden(GetParam());
  const auto model = golden.load();
  const at::Tensor expected = golden.expected("greedy");
  const auto* data = expected.const_data_ptr<std::int64_t>();
  // float64 has no native cache: the one of tensor operations serves.
  for (const at::ScalarType type : {c10::kFloat, c10::kDouble}) {
    Decoder decoder(*model, {.slots = 3, .capacity = 300, .cache_dtype = type});
    EXPECT_EQ(greedy(decoder, 1, golden.sequences()[0], 200), std::vector<std::int64_t>(data, data + expected.numel()))
        << c10::toString(type);
  }
}

INSTANTIATE_TEST_SUITE_P(Goldens, GreedyParity, testing::ValuesIn(Golden::names()),
                         [](const auto& golden) { return golden.param; });

TEST(Decoder, CachedEqualsUncached) {
  const auto model = small_random_model(5);
  Decoder decoder(*model, {.slots = 1, .capacity = 128});
  std::vector<std::int32_t> tokens = random_tokens(30, 7, 200);
  const Decoder::Prompt prompt{0, tokens};
  at::Tensor logits = decoder.prefill({&prompt, 1});
  const int slot = 0;
  for (int i = 0; i < 90; ++i) {
    EXPECT_LT(relative_error(logits, uncached(*model, tokens)), 1e-5) << "after " << tokens.size() << " tokens";
    tokens.push_back(static_cast<std::int32_t>((i * 37) % 200));
    logits = decoder.step(at::tensor(std::vector<std::int64_t>{tokens.back()}), {&slot, 1});
  }
}

TEST(Decoder, BatchOfDifferentLengthsEqualsEachAlone) {
  const auto model = small_random_model(6);
  Decoder together(*model, {.slots = 8, .capacity = 128});
  Decoder alone(*model, {.slots = 1, .capacity = 128});
  std::vector<std::vector<std::int32_t>> prompts;
  std::vector<Decoder::Prompt> requests;
  std::vector<int> slots;
  for (int i = 0; i < 7; ++i) prompts.push_back(random_tokens(3 + 11 * static_cast<std::size_t>(i), 50 + i, 200));
  for (int i = 0; i < 7; ++i) {
    requests.push_back({6 - i, prompts[static_cast<std::size_t>(i)]});
    slots.push_back(6 - i);
  }
  at::Tensor next = together.prefill(requests).argmax(-1);
  std::vector<std::vector<std::int64_t>> got(7);
  for (int step = 0; step < 40; ++step) {
    for (int i = 0; i < 7; ++i) got[static_cast<std::size_t>(i)].push_back(next[i].item<std::int64_t>());
    next = together.step(next, slots).argmax(-1);
  }
  for (std::size_t i = 0; i < 7; ++i) {
    const auto expected = greedy(alone, 0, prompts[i], 40);
    EXPECT_EQ(got[i],
              std::vector<std::int64_t>(expected.begin() + static_cast<long>(prompts[i].size()), expected.end()));
    alone.release(0);
  }
}

// Continuations of one prompt, fed different tokens, against sequences that share nothing.
void expect_forks_equal_separate(const Transformer& model, const DecoderOptions& options, double tolerance) {
  Decoder forked(model, options);
  Decoder separate(model, options);
  const auto prompt = random_tokens(37, 9, 200);
  const Decoder::Prompt request{0, prompt};
  forked.prefill({&request, 1});
  std::vector<int> slots = {0, 1, 2, 3, 4};
  for (const int slot : slots) {
    const Decoder::Prompt own{slot, prompt};
    separate.prefill({&own, 1});
    if (slot > 0) forked.fork(0, slot);
  }
  for (int step = 0; step < 50; ++step) {
    if (step == 20) {  // the leader ends first; the others still read its prompt
      forked.release(0);
      separate.release(0);
      slots = {1, 2, 3, 4};
    }
    std::vector<std::int64_t> tokens;
    for (const int slot : slots) tokens.push_back((slot * 31 + step * 17) % 200);
    const at::Tensor a = forked.step(at::tensor(tokens), slots);
    const at::Tensor b = separate.step(at::tensor(tokens), slots);
    ASSERT_LT(relative_error(a, b), tolerance) << "step " << step;
  }
  for (const int slot : slots) forked.release(slot);
  for (int slot = 0; slot < 5; ++slot) EXPECT_EQ(forked.length(slot), 0);
}

TEST(Decoder, ForksEqualSeparateSequences) {
  expect_forks_equal_separate(*small_random_model(8), {.slots = 5, .capacity = 128}, 1e-5);
}

TEST(Decoder, ForksEqualSeparateSequencesInBFloat16Cache) {
  // A difference of one float32 step now and then rounds to another bf16.
  expect_forks_equal_separate(*small_random_model(8), {.slots = 5, .capacity = 128, .cache_dtype = c10::kBFloat16},
                              1e-2);
}

TEST(Decoder, ForksByCopyOnTheTensorCache) {
  // float16 has no native cache: the one of tensor operations serves, and it copies.
  expect_forks_equal_separate(*small_random_model(8), {.slots = 5, .capacity = 128, .cache_dtype = c10::kHalf}, 1e-2);
}

TEST(Decoder, CacheTypesAgree) {
  const auto model = small_random_model(12);
  const auto prompt = random_tokens(60, 3, 200);
  const Decoder::Prompt request{0, prompt};
  const int slot = 0;
  const auto last_logits = [&](std::optional<at::ScalarType> type) {
    Decoder decoder(*model, {.slots = 1, .capacity = 100, .cache_dtype = type});
    decoder.prefill({&request, 1});
    at::Tensor logits;
    for (std::int64_t i = 0; i < 30; ++i) logits = decoder.step(at::tensor(std::vector<std::int64_t>{i}), {&slot, 1});
    return logits;
  };
  const at::Tensor exact = last_logits(std::nullopt);
  EXPECT_LT(relative_error(last_logits(c10::kDouble), exact), 1e-5);  // the tensor cache against the native one
  EXPECT_LT(relative_error(last_logits(c10::kBFloat16), exact), 2e-2);
  EXPECT_GT(relative_error(last_logits(c10::kBFloat16), exact), 1e-6);
}

TEST(Decoder, RefusesWhatDoesNotFit) {
  const auto model = small_random_model(1);
  EXPECT_THROW(Decoder(*model, {.slots = 1, .capacity = 513}), base::UserError);
  Decoder decoder(*model, {.slots = 1, .capacity = 8});
  const auto long_prompt = random_tokens(9, 1, 200);
  const Decoder::Prompt too_long{0, long_prompt};
  EXPECT_THROW(decoder.prefill({&too_long, 1}), base::UserError);
  const Decoder::Prompt empty{0, {}};
  EXPECT_THROW(decoder.prefill({&empty, 1}), base::UserError);
}

}  // namespace
}  // namespace tritonrl::model
