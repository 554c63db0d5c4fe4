#include "generate/engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include "base/error.h"
#include "generate/draws.h"
#include "tests/generate/small_model.h"

namespace tritonrl::generate {
namespace {

using record::FinishReason;
using record::Sample;

const model::Transformer& shared_model() {
  static const std::unique_ptr<model::Transformer> model = small_model();
  return *model;
}

Engine engine_with(EngineOptions options) {
  options.capacity = 256;
  return Engine(shared_model(), small_tokenizer(), options);
}

SamplingOptions sampled(int max_new_tokens) {
  SamplingOptions options;
  options.max_new_tokens = max_new_tokens;
  return options;
}

SamplingOptions greedy(int max_new_tokens) {
  SamplingOptions options = sampled(max_new_tokens);
  options.temperature = 0;
  return options;
}

// Equal but for the rounding of log-probabilities.
void expect_same(const Sample& got, const Sample& expected) {
  EXPECT_EQ(got.id, expected.id);
  EXPECT_EQ(got.index, expected.index);
  EXPECT_EQ(got.text, expected.text) << got.id;
  EXPECT_EQ(got.tokens, expected.tokens) << got.id << " " << got.index;
  EXPECT_EQ(got.finish, expected.finish);
  EXPECT_EQ(got.seed, expected.seed);
  ASSERT_EQ(got.log_probabilities.size(), expected.log_probabilities.size());
  for (std::size_t i = 0; i < got.log_probabilities.size(); ++i)
    EXPECT_NEAR(got.log_probabilities[i], expected.log_probabilities[i], 1e-4);
}

TEST(Engine, GreedyIsByTheBook) {
  const std::vector<GenerateRequest> requests = some_requests(40, greedy(24));
  Engine engine = engine_with({.slots = 9});
  const std::vector<Sample> samples = engine.generate(requests);
  ASSERT_EQ(samples.size(), requests.size());
  for (std::size_t i = 0; i < samples.size(); ++i)
    EXPECT_EQ(samples[i].tokens, by_the_book(shared_model(), requests[i], 0).tokens) << samples[i].id;
}

TEST(Engine, SamplesAreByTheBook) {
  SamplingOptions options = sampled(12);
  options.temperature = 0.9;
  options.top_k = 60;
  options.top_p = 0.95;
  options.min_p = 0.01;
  options.repetition_penalty = 1.1;
  std::vector<GenerateRequest> requests = some_requests(20, options);
  for (GenerateRequest& request : requests) request.samples = 3;
  for (const bool native : {true, false}) {
    Engine engine = engine_with({.slots = 9, .native_sampling = native});
    const std::vector<Sample> samples = engine.generate(requests);
    ASSERT_EQ(samples.size(), 60u);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const Sample expected = by_the_book(shared_model(), requests[i / 3], static_cast<int>(i % 3));
      EXPECT_EQ(samples[i].tokens, expected.tokens) << samples[i].id;
      EXPECT_EQ(samples[i].seed, expected.seed);
    }
  }
}

// The same text on 200 prompts whatever runs beside them: other numbers of slots, another order, prompts one by one.
TEST(Engine, SameTextWhateverTheBatch) {
  const std::vector<GenerateRequest> requests = some_requests(200, sampled(40));
  Engine one_slot = engine_with({.slots = 1});
  const std::vector<Sample> expected = one_slot.generate(requests);
  std::map<FinishReason, int> finishes;
  for (const Sample& sample : expected) ++finishes[sample.finish];
  EXPECT_GT(finishes[FinishReason::kStopToken], 10);
  EXPECT_GT(finishes[FinishReason::kLength], 10);

  std::vector<std::size_t> order(requests.size());
  std::iota(order.begin(), order.end(), 0);
  std::mt19937 random(5);
  for (const EngineOptions& options :
       {EngineOptions{.slots = 7}, EngineOptions{.slots = 32}, EngineOptions{.slots = 32, .prefill_tokens = 1}}) {
    Engine engine = engine_with(options);
    std::shuffle(order.begin(), order.end(), random);
    std::vector<GenerateRequest> shuffled;
    for (const std::size_t i : order) shuffled.push_back(requests[i]);
    const std::vector<Sample> samples = engine.generate(shuffled);
    ASSERT_EQ(samples.size(), expected.size());
    for (std::size_t i = 0; i < samples.size(); ++i) expect_same(samples[i], expected[order[i]]);
  }
}

TEST(Engine, ManySamplesAreManyRequests) {
  std::vector<GenerateRequest> requests = some_requests(6, sampled(20));
  std::vector<GenerateRequest> singles;
  for (GenerateRequest& request : requests) {
    request.samples = 10;
    for (int index = 0; index < request.samples; ++index) {
      singles.push_back(request);
      singles.back().samples = 1;
      singles.back().seed = sample_seed(request.seed, index);
    }
  }
  Engine alone = engine_with({.slots = 16});
  const std::vector<Sample> expected = alone.generate(singles);
  std::set<std::vector<std::int32_t>> different;
  for (const int slots : {1, 2, 3, 8, 64}) {
    Engine engine = engine_with({.slots = slots});
    const std::vector<Sample> samples = engine.generate(requests);
    ASSERT_EQ(samples.size(), expected.size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
      EXPECT_EQ(samples[i].id, requests[i / 10].id);
      EXPECT_EQ(samples[i].index, static_cast<int>(i % 10));
      EXPECT_EQ(samples[i].tokens, expected[i].tokens) << slots << " slots";
      EXPECT_EQ(samples[i].text, expected[i].text);
      EXPECT_EQ(samples[i].seed, expected[i].seed);
      different.insert(samples[i].tokens);
    }
  }
  EXPECT_GT(different.size(), 50u);
}

TEST(Engine, LogProbabilitiesAreTheModels) {
  SamplingOptions options = sampled(30);
  options.temperature = 1.5;  // they are those of the model, not of what was drawn from
  options.top_k = 50;
  std::vector<GenerateRequest> requests = some_requests(10, options);
  for (GenerateRequest& request : requests) request.samples = 2;
  Engine engine = engine_with({.slots = 6});
  for (const Sample& sample : engine.generate(requests)) {
    const std::vector<float> expected = log_probabilities_of(shared_model(), sample);
    ASSERT_EQ(sample.log_probabilities.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(sample.log_probabilities[i], expected[i], 1e-4);
  }
}

TEST(Engine, EndsWhereTheContextIsFull) {
  std::vector<GenerateRequest> requests = some_requests(3, sampled(1000));
  for (GenerateRequest& request : requests) request.sampling.ignore_stop_tokens = true;
  Engine engine(shared_model(), small_tokenizer(), {.slots = 2, .capacity = 64});
  for (const Sample& sample : engine.generate(requests)) {
    EXPECT_EQ(sample.prompt.size() + sample.tokens.size(), 64u);
    EXPECT_EQ(sample.finish, FinishReason::kLength);
  }
  // A model's own limit holds, whatever the capacity.
  const std::unique_ptr<model::Transformer> shorter = small_model(/*max_position=*/50);
  Engine limited(*shorter, small_tokenizer(), {.slots = 2, .capacity = 4096});
  EXPECT_EQ(limited.options().capacity, 50);
  const Sample sample = limited.generate(std::span(requests).first(1)).front();
  EXPECT_EQ(sample.prompt.size() + sample.tokens.size(), 50u);
}

TEST(Engine, CarriesTheAdapterVersion) {
  const std::unique_ptr<model::Transformer> model = small_model();
  Engine engine(*model, small_tokenizer(), {.slots = 2, .capacity = 128});
  const std::vector<GenerateRequest> requests = some_requests(4, sampled(5));
  model->adapter_version = 6;
  GenerateEvents events;
  events.on_sample = [&](const Sample&) { model->adapter_version = 7; };
  const std::vector<Sample> samples = engine.generate(requests, events);
  EXPECT_EQ(samples.front().adapter_version, 6);
  EXPECT_EQ(samples.back().adapter_version, 7);
}

TEST(Engine, RefusesBeforeAnythingRuns) {
  Engine engine = engine_with({.slots = 2});
  const auto error_of = [&](const std::function<void(GenerateRequest&)>& spoil) {
    std::vector<GenerateRequest> requests = some_requests(2, sampled(4));
    spoil(requests.back());
    GenerateEvents events;
    int finished = 0;
    events.on_sample = [&](const Sample&) { ++finished; };
    try {
      engine.generate(requests, events);
    } catch (const base::UserError& error) {
      EXPECT_EQ(finished, 0) << error.what();
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  using Request = GenerateRequest;
  EXPECT_EQ(error_of([](Request& r) { r.prompt.clear(); }),
            "[generate] request request 1: the prompt has no tokens; a model needs at least one");
  EXPECT_EQ(
      error_of([](Request& r) { r.prompt.assign(256, 1); }),
      "[generate] request request 1: the prompt has 256 tokens, the context holds 256 with the answer; shorten it "
      "or raise the capacity");
  EXPECT_NE(error_of([](Request& r) { r.prompt = {kVocabulary}; }).find("another tokenizer"), std::string::npos);
  EXPECT_NE(error_of([](Request& r) { r.prompt = {-1}; }).find("another tokenizer"), std::string::npos);
  EXPECT_NE(error_of([](Request& r) { r.samples = 0; }).find("samples is 0"), std::string::npos);
  EXPECT_NE(error_of([](Request& r) { r.sampling.max_new_tokens = 0; }).find("max_new_tokens is 0"), std::string::npos);
  EXPECT_NE(error_of([](Request& r) { r.sampling.temperature = -1; }).find("temperature is -1"), std::string::npos);
  EXPECT_NE(error_of([](Request& r) { r.sampling.top_p = 0; }).find("top_p is 0"), std::string::npos);
  EXPECT_NE(error_of([](Request& r) { r.sampling.top_k = -2; }).find("top_k is -2"), std::string::npos);
  EXPECT_NE(error_of([](Request& r) { r.sampling.min_p = 1.5; }).find("min_p is 1.5"), std::string::npos);
  EXPECT_NE(error_of([](Request& r) { r.sampling.repetition_penalty = 0; }).find("repetition_penalty is 0"),
            std::string::npos);
  EXPECT_NE(error_of([](Request& r) { r.sampling.stop_strings = {""}; }).find("stop string is empty"),
            std::string::npos);
  EXPECT_EQ(error_of([](Request&) {}), "accepted");
}

TEST(Engine, SaysThatWeightsAreBroken) {
  const std::unique_ptr<model::Transformer> model = small_model();
  Engine engine(*model, small_tokenizer(), {.slots = 2, .capacity = 128});
  const std::vector<GenerateRequest> requests = some_requests(3, sampled(5));
  const at::Tensor norm = model->final_norm().weight;
  norm.fill_(std::nanf(""));
  EXPECT_THROW(engine.generate(requests), base::InfrastructureError);
  norm.fill_(1);
  EXPECT_EQ(engine.generate(requests).size(), 3u);  // no slot was lost
}

}  // namespace
}  // namespace tritonrl::generate
