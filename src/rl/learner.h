#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/fields.h"
#include "record/sample.h"
#include "track/ledger.h"

namespace tritonrl::rl {

// An answer to learn from.
struct Lesson {
  record::Sample sample;
  std::vector<float> weights;  // of each token of the answer: 1 to imitate it, its advantage to reinforce it
  void fields(base::FieldVisitor& field) { TRL_FIELDS(field, sample, weights); }
};

struct LearnContext {
  std::int64_t round = 0, rounds = 0;
  std::uint64_t seed = 0;  // of order and dropout
};

// Who changes the weights that answer. Implemented by PolicyLearner (learner/policy_learner.h) and tests.
class Learner {
 public:
  virtual ~Learner() = default;

  // Of the weights as they are; answers carry it.
  virtual std::int64_t version() const = 0;
  // Named numbers of what was done: "loss", "gradient_norm", "gap_mean", … UserError where it must not go on.
  virtual track::Numbers learn(std::span<const Lesson> lessons, const LearnContext& context) = 0;
  // Keeps everything that the next round depends on; `state` is the loop's, as JSON.
  virtual void save(std::int64_t round, const std::string& state) = 0;
  // The run is over: leaves the result where others look for it, read back.
  virtual std::filesystem::path finish() = 0;
};

}  // namespace tritonrl::rl
