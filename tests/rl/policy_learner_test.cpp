#include "rl/learner/policy_learner.h"

#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/equal.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files.h"
#include "base/hash64.h"
#include "generate/engine.h"
#include "model/adapter.h"
#include "tests/base/scratch_folder.h"
#include "tests/model/golden.h"
#include "tests/paths.h"
#include "tests/train/small_data.h"

namespace tritonrl::rl {
namespace {

// A small model with an adapter that does something, and a learner.
struct Bench {
  base::ScratchFolder folder;
  std::unique_ptr<model::Transformer> model = model::small_random_model(3, {.dtype = at::kFloat});
  weights::AdapterConfig adapter{.r = 4, .alpha = 8, .dropout = 0.5};
  LearnerOptions options;
  std::unique_ptr<train::Communicator> alone = train::single_process();
  std::unique_ptr<PolicyLearner> learner;

  explicit Bench(Method method, double rate = 1e-3) {
    train::few_threads();
    model::add_adapter(*model, adapter, 5);
    const at::NoGradGuard no_grad;
    at::manual_seed(1);
    for (model::NamedTensor& each : model::adapter_parameters(*model)) each.tensor.normal_(0, 0.1);
    options.train.epochs = 1;
    options.train.pass_tokens = options.train.longest = 128;
    options.train.batch_tokens = 4096;
    options.train.schedule = {.learning_rate = rate, .warmup = 0};
    make(method);
  }
  void make(Method method, const std::optional<std::filesystem::path>& from = std::nullopt) {
    learner = std::make_unique<PolicyLearner>(options, method,
                                              LearnerPlace{.model = *model,
                                                           .adapter = adapter,
                                                           .tokenizer = source_path("models/embedded"),
                                                           .checkpoints = {folder.path("checkpoints")},
                                                           .ranks = *alone},
                                              from);
  }
  // The mean log-probability of each answer's tokens.
  std::vector<double> likelihoods(const std::vector<Lesson>& lessons) const {
    std::vector<double> out;
    for (const Lesson& lesson : lessons) {
      train::Example example{.tokens = lesson.sample.prompt,
                             .prompt = static_cast<std::int64_t>(lesson.sample.prompt.size())};
      example.tokens.insert(example.tokens.end(), lesson.sample.tokens.begin(), lesson.sample.tokens.end());
      const train::MicroBatch batch = train::batch_of({example});
      const at::NoGradGuard no_grad;
      const at::Tensor hidden = model->hidden_states(batch.batch).index_select(0, batch.rows);
      out.push_back(train::target_log_probabilities(hidden, model->head(), batch.targets).mean().item<double>());
    }
    return out;
  }
};

// What the model itself answers, so that its log-probabilities are known.
std::vector<Lesson> sampled(const Bench& bench, int count) {
  generate::Engine engine(
      *bench.model,
      text::Tokenizer::from_json(base::read_file(source_path("models/embedded/tokenizer.json")), "tokenizer"),
      {.slots = 4, .capacity = 64});
  generate::GenerateRequest request{.id = "a",
                                    .prompt = {5, 6, 7, 8},
                                    .samples = count,
                                    .seed = 3,
                                    .sampling = {.stop_strings = {}, .stop_tokens = {}}};
  request.sampling.max_new_tokens = 12;
  request.sampling.ignore_stop_tokens = true;
  std::vector<Lesson> out;
  for (record::Sample& sample : engine.generate(std::span(&request, 1))) {
    const std::size_t length = sample.tokens.size();
    out.push_back({.sample = std::move(sample), .weights = std::vector<float>(length, 1)});
  }
  return out;
}

TEST(PolicyLearner, ImitatedAnswersBecomeLikelier) {
  Bench bench(Method::kBestOf);
  const std::vector<Lesson> lessons = sampled(bench, 3);
  const std::vector<double> before = bench.likelihoods(lessons);
  const track::Numbers numbers = bench.learner->learn(lessons, {.round = 1, .rounds = 1});
  const std::vector<double> after = bench.likelihoods(lessons);
  for (std::size_t i = 0; i < lessons.size(); ++i) EXPECT_GT(after[i], before[i]);
  EXPECT_LT(numbers.at("gap_max"), 1e-4);  // sampling and training are the same model
  EXPECT_EQ(numbers.at("trained_tokens"), 36);
  EXPECT_EQ(bench.learner->version(), 1);
}

TEST(PolicyLearner, ReinforcedAnswersFollowTheirAdvantages) {
  Bench bench(Method::kGrpo);
  std::vector<Lesson> lessons = sampled(bench, 2);
  lessons[1].weights.assign(lessons[1].weights.size(), -1);
  const std::vector<double> before = bench.likelihoods(lessons);
  bench.learner->learn(lessons, {.round = 1, .rounds = 1});
  const std::vector<double> after = bench.likelihoods(lessons);
  EXPECT_GT(after[0], before[0]);
  EXPECT_LT(after[1], before[1]);
}

TEST(PolicyLearner, TheReferenceIsTheModelWithoutItsAdapter) {
  Bench near(Method::kGrpo), far(Method::kGrpo);
  far.options.policy.kl = 50;
  far.make(Method::kGrpo);
  std::vector<Lesson> lessons = sampled(near, 2);
  for (Lesson& lesson : lessons) lesson.weights.assign(lesson.weights.size(), 0);
  EXPECT_FALSE(near.learner->learn(lessons, {.round = 1, .rounds = 1}).contains("kl_distance"));
  const double first = far.learner->learn(lessons, {.round = 1, .rounds = 1}).at("kl_distance");
  double last = first;
  for (int i = 0; i < 5; ++i) {
    for (Lesson& lesson : lessons) lesson.sample.adapter_version = -1;  // no gap is looked at
    last = far.learner->learn(lessons, {.round = 1, .rounds = 1}).at("kl_distance");
  }
  EXPECT_GT(first, 0);
  EXPECT_LT(last, first);
}

TEST(PolicyLearner, WhatWasNotSampledFromTheseWeightsStopsTheRun) {
  Bench bench(Method::kGrpo);
  std::vector<Lesson> lessons = sampled(bench, 1);
  for (float& value : lessons[0].sample.log_probabilities) value -= 1;
  EXPECT_THROW(bench.learner->learn(lessons, {.round = 1, .rounds = 1}), base::UserError);
  EXPECT_EQ(bench.learner->version(), 0);
}

TEST(PolicyLearner, GoesOnFromItsCheckpoint) {
  Bench one(Method::kBestOf);
  const std::vector<Lesson> lessons = sampled(one, 2);
  one.learner->learn(lessons, {.round = 1, .rounds = 2, .seed = 1});
  const RlState state{.round = 1, .version = one.learner->version(), .curriculum = {}, .draws = {}, .options = {}};
  one.learner->save(1, base::to_json(state).dump());

  Bench other(Method::kBestOf);
  const std::filesystem::path from = one.folder.path("checkpoints/rl/step_000001");
  model::remove_adapter(*other.model);
  model::load_adapter(*other.model, from, {.trainable = true});
  other.make(Method::kBestOf, from);
  EXPECT_EQ(other.learner->version(), 1);
  for (Bench* each : {&one, &other}) each->learner->learn(lessons, {.round = 2, .rounds = 2, .seed = 2});
  const auto a = model::adapter_parameters(*one.model), b = model::adapter_parameters(*other.model);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(at::equal(a[i].tensor, b[i].tensor)) << a[i].name;
  EXPECT_TRUE(std::filesystem::exists(other.learner->finish() / "adapter_model.safetensors"));
}

}  // namespace
}  // namespace tritonrl::rl
