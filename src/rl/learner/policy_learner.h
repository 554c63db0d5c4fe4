#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "record/checkpoint_folder.h"
#include "rl/learner.h"
#include "rl/loop.h"
#include "train/checkpoint_writer.h"
#include "train/communicator.h"
#include "train/options.h"
#include "train/policy_loss.h"
#include "train/step.h"

namespace tritonrl::rl {

struct LearnerOptions {
  train::TrainOptions train;  // `epochs` are passes over the lessons of a round; rates follow the rounds
  train::PolicyOptions policy;
  double most_gap = 0.1;  // between the log-probabilities that sampling noted and those of training

  void fields(base::FieldVisitor& field) {
    train.fields(field, /*of_rounds=*/true);
    policy.fields(field);
    field(
        "most_gap", most_gap,
        {.help = "mean difference, a token, between the log-probabilities that sampling noted and those that training "
                 "computes, above which the run stops",
         .least = 0,
         .keyed = false});
  }
};

// What is trained, and where it is kept.
struct LearnerPlace {
  model::Transformer& model;
  std::optional<weights::AdapterConfig> adapter;  // none: all parameters
  std::filesystem::path tokenizer;                // folder of the tokenizer's files
  record::CheckpointFolder checkpoints;
  train::Communicator& ranks;  // that learn together: the first one writes
  std::string stage = "rl";
  std::function<void(const std::string&)> say = {};  // lines for a person; may be empty
};

// Learns by the one training step: imitates, or reinforces by the loss of policy_loss.h. Dropout is off, so that the
// probabilities that are pushed are those that were sampled from.
class PolicyLearner : public Learner {
 public:
  // The model is that of `from` where the run goes on.
  PolicyLearner(const LearnerOptions& options, Method method, const LearnerPlace& place,
                const std::optional<std::filesystem::path>& from);

  std::int64_t version() const override { return place_.model.adapter_version; }
  track::Numbers learn(std::span<const Lesson> lessons, const LearnContext& context) override;
  void save(std::int64_t round, const std::string& state) override;
  std::filesystem::path finish() override;

 private:
  struct Known;  // of a lesson, before anything is trained
  std::vector<Known> look(std::span<const Lesson> lessons);
  // Puts together what each rank has of it; the others have zeros.
  void share(std::vector<Known>& known, std::vector<float> Known::*what);
  bool is_mine(std::size_t bin) const { return static_cast<int>(bin) % place_.ranks.ranks() == place_.ranks.rank(); }
  train::MicroBatch batch_of(const std::vector<std::size_t>& places, const std::vector<Known>& known,
                             std::span<const Lesson> lessons) const;
  train::TrainedModel trained() const { return {place_.model, place_.adapter, place_.tokenizer}; }

  LearnerOptions options_;
  Method method_;
  LearnerPlace place_;
  train::FlatParameters parameters_;
  train::Optimizer optimizer_;
  train::TrainingStep step_;
  train::CheckpointWriter writer_;
};

}  // namespace tritonrl::rl
