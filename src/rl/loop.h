#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "base/fields.h"
#include "rl/curriculum.h"
#include "rl/learner.h"
#include "rl/options.h"
#include "rl/ranks.h"
#include "rl/rollouts.h"
#include "rl/task_draw.h"
#include "track/ledger.h"

namespace tritonrl::rl {

// What a checkpoint keeps beside weights and optimizer: the next round follows from it, from the ledger and from the
// options.
struct RlState {
  std::string run;           // of which run it is: the ledger has the same
  std::int64_t round = 0;    // rounds done
  std::int64_t version = 0;  // of the weights
  CurriculumState curriculum;
  DrawState draws;
  double seconds = 0;   // of all rounds so far
  std::string options;  // the key of everything that the result depends on
  void fields(base::FieldVisitor& field) {
    TRL_FIELDS(field, run, round, version, curriculum, draws, seconds, options);
  }
};

// Everything that a run needs.
struct RlRun {
  RlOptions options;
  std::uint64_t seed = 0;
  std::string options_key;
  std::span<const PoolTask> pool;
  RolloutTools tools;
  Learner& learner;
  track::Ledger& ledger;                       // of ranks behind the first one for a round at a time
  Ranks* ranks = nullptr;                      // null: this process alone
  std::optional<RlState> from = std::nullopt;  // of the checkpoint that the learner stands at
  // Tokens at the beginning of an answer that are its plan; may be empty: none are.
  std::function<std::int64_t(const record::Sample&)> plan_tokens = {};
  std::function<void(std::int64_t round, const track::Numbers&)> metrics = {};  // of a round that is done; may be empty
  std::function<void(const std::string&)> say = {};                             // lines for a person; may be empty
};

struct RlOutcome {
  bool finished = false;  // else it was stopped, and goes on
  std::int64_t rounds = 0;
  std::filesystem::path result;
};

// UserError where ledger and checkpoint are not of one run, or of one with other options. Nothing is changed: to be
// asked before anything of an earlier run is written over.
void require_one_run(const track::Ledger& ledger, const std::optional<RlState>& from, const std::string& options_key);

// Rounds of tasks, answers, verdicts and training, until all are done or a stop is asked for. What the ledger has of
// the round behind `from` is used again; what it has of later ones goes. UserError if it is the ledger of another run,
// or if no answer of a round could be judged. Of several ranks all call it; those behind the first have no `from`,
// metrics or lines for a person.
RlOutcome run_rl(const RlRun& run);

}  // namespace tritonrl::rl
