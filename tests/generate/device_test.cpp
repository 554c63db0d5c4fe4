#include <ATen/Context.h>
#include <gtest/gtest.h>

#include <iostream>

#include "generate/engine.h"
#include "tests/generate/small_model.h"

// The engine on a GPU. Label gpu; skipped where there is none.
namespace tritonrl::generate {
namespace {

using record::Sample;

constexpr int kPrompts = 200;

SamplingOptions forty_tokens() {
  SamplingOptions options;
  options.temperature = 0.9;
  options.top_p = 0.95;
  options.max_new_tokens = 40;
  return options;
}

std::vector<Sample> texts(const model::Transformer& model, int slots) {
  Engine engine(model, small_tokenizer(), {.slots = slots, .capacity = 256});
  return engine.generate(some_requests(kPrompts, forty_tokens()));
}

int different(const std::vector<Sample>& a, const std::vector<Sample>& b) {
  int count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) count += a[i].tokens != b[i].tokens;
  return count;
}

// How often a text depends on what runs beside it. The draws never do; the rounding of a product does.
TEST(EngineOnDevice, RateOfDivergence) {
  if (!at::hasCUDA()) GTEST_SKIP() << "no GPU";
  const std::vector<Sample> on_cpu = texts(*small_model(), 32);
  for (const c10::ScalarType dtype : {c10::kFloat, c10::kBFloat16}) {
    const auto model = small_model(512, {.device = c10::Device(c10::kCUDA, 0), .dtype = dtype});
    const std::vector<Sample> alone = texts(*model, 1);
    const std::vector<Sample> together = texts(*model, 32);
    const std::vector<Sample> again = texts(*model, 32);
    std::cout << c10::toString(dtype) << ": of " << kPrompts
              << " texts of 40 tokens, other with 32 slots than with 1: " << different(alone, together)
              << "; in a second run: " << different(together, again)
              << "; other than on the CPU in fp32: " << different(together, on_cpu) << "\n";
    if (dtype == c10::kFloat) {
      EXPECT_LE(different(alone, together), kPrompts / 20);
    }
    EXPECT_EQ(different(together, again), 0);
  }
}

TEST(EngineOnDevice, ManySamplesAreManyRequests) {
  if (!at::hasCUDA()) GTEST_SKIP() << "no GPU";
  const auto model = small_model(512, {.device = c10::Device(c10::kCUDA, 0)});
  Engine engine(*model, small_tokenizer(), {.slots = 4, .capacity = 256});
  std::vector<GenerateRequest> request = some_requests(1, forty_tokens());
  request[0].samples = 10;
  const std::vector<Sample> together = engine.generate(request);
  ASSERT_EQ(together.size(), 10u);
  for (const Sample& sample : together) {
    std::vector<GenerateRequest> single = some_requests(1, forty_tokens());
    single[0].seed = sample.seed;
    EXPECT_EQ(engine.generate(single).front().tokens, sample.tokens) << sample.index;
  }
}

}  // namespace
}  // namespace tritonrl::generate
