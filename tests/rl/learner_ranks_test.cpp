#include "rl/learner/learner_ranks.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/zeros_like.h>
#include <gtest/gtest.h>

#include <barrier>
#include <thread>

#include "model/adapter.h"
#include "rl/learner/policy_learner.h"
#include "tests/base/scratch_folder.h"
#include "tests/model/golden.h"
#include "tests/paths.h"
#include "tests/train/small_data.h"

namespace tritonrl::rl {
namespace {

// Ranks that are threads of this process.
class ThreadCommunicator : public train::Communicator {
 public:
  struct Meeting {
    explicit Meeting(int count) : given(static_cast<std::size_t>(count)), met(count) {}
    std::vector<at::Tensor> given;
    std::barrier<> met;
  };
  ThreadCommunicator(Meeting& meeting, int rank) : meeting_(meeting), rank_(rank) {}
  int rank() const override { return rank_; }
  int ranks() const override { return static_cast<int>(meeting_.given.size()); }
  void sum(at::Tensor& tensor) override {
    meeting_.given[static_cast<std::size_t>(rank_)] = tensor.clone();
    barrier();
    tensor.zero_();
    for (const at::Tensor& each : meeting_.given) tensor.add_(each);
    barrier();
  }
  bool any(bool value) override {
    at::Tensor all = at::zeros({1}, at::kFloat);
    all.fill_(value ? 1 : 0);
    sum(all);
    return all.item<float>() > 0;
  }
  void barrier() override { meeting_.met.arrive_and_wait(); }
  void abandon(const std::string& why) override { ADD_FAILURE() << why; }

 private:
  Meeting& meeting_;
  int rank_;
};

void as_ranks(int count, const std::function<void(train::Communicator&)>& work) {
  ThreadCommunicator::Meeting meeting(count);
  std::vector<std::jthread> threads;
  for (int rank = 0; rank < count; ++rank) {
    threads.emplace_back([&, rank] {
      ThreadCommunicator communicator(meeting, rank);
      work(communicator);
    });
  }
}

TEST(LearnerRanks, TextsArriveAsTheyWereSaid) {
  std::string all_bytes;
  for (int i = 0; i < 70000; ++i) all_bytes += static_cast<char>(i * 7 % 256);
  as_ranks(3, [&](train::Communicator& communicator) {
    LearnerRanks ranks(communicator, at::kCPU);
    const std::vector<std::string> said = {"", "odd", all_bytes};
    EXPECT_EQ(ranks.all(said[static_cast<std::size_t>(ranks.rank())]), said);
    EXPECT_EQ(ranks.all(""), std::vector<std::string>(3));
    EXPECT_EQ(ranks.from_first(ranks.first() ? all_bytes : "not heard"), all_bytes);
  });
}

// One of several ranks that learn the same lessons, or one alone; its weights at the end.
std::vector<at::Tensor> learnt(train::Communicator& communicator, Method method) {
  base::ScratchFolder folder;
  const auto model = model::small_random_model(3, {.dtype = at::kFloat});
  const weights::AdapterConfig adapter{.r = 4, .alpha = 8, .dropout = 0};
  {
    static std::mutex one_at_a_time;  // they draw from one generator
    const std::lock_guard lock(one_at_a_time);
    model::add_adapter(*model, adapter, 5);
    const at::NoGradGuard no_grad;
    at::manual_seed(1);
    for (model::NamedTensor& each : model::adapter_parameters(*model)) each.tensor.normal_(0, 0.1);
  }
  LearnerOptions options;
  options.train.epochs = 2;
  options.train.pass_tokens = options.train.longest = 32;
  options.train.batch_tokens = 64;
  options.train.schedule = {.learning_rate = 1e-3, .warmup = 0};
  options.policy.kl = method == Method::kGrpo ? 0.1 : 0;
  PolicyLearner learner(options, method,
                        {.model = *model,
                         .adapter = adapter,
                         .tokenizer = source_path("models/embedded"),
                         .checkpoints = {folder.path("checkpoints")},
                         .ranks = communicator},
                        std::nullopt);
  std::vector<Lesson> lessons;
  for (int i = 0; i < 7; ++i) {
    Lesson& lesson = lessons.emplace_back();
    lesson.sample.prompt = {5, 6, 7 + i};
    for (int t = 0; t < 4 + i; ++t) lesson.sample.tokens.push_back(3 + (i * 11 + t * 5) % 40);
    lesson.sample.adapter_version = -1;  // no gap is looked at
    lesson.weights.assign(lesson.sample.tokens.size(), i % 2 == 0 ? 1.0F : -0.5F);
  }
  const track::Numbers numbers = learner.learn(lessons, {.round = 1, .rounds = 1, .seed = 3});
  EXPECT_EQ(numbers.at("trained_tokens"), 2 * (4 + 5 + 6 + 7 + 8 + 9 + 10));
  std::vector<at::Tensor> out;
  for (const model::NamedTensor& each : model::adapter_parameters(*model)) out.push_back(each.tensor.detach().clone());
  return out;
}

TEST(LearnerRanks, LearnWhatOneLearns) {
  train::few_threads();
  for (const Method method : {Method::kBestOf, Method::kGrpo}) {
    const auto alone = train::single_process();
    const std::vector<at::Tensor> whole = learnt(*alone, method);
    as_ranks(2, [&](train::Communicator& communicator) {
      const std::vector<at::Tensor> shared = learnt(communicator, method);
      for (std::size_t i = 0; i < whole.size(); ++i)
        EXPECT_TRUE(at::allclose(shared[i], whole[i], 1e-5, 1e-6)) << i << " of rank " << communicator.rank();
    });
  }
}

}  // namespace
}  // namespace tritonrl::rl
