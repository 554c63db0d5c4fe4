#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "generate/generator.h"
#include "judge/judge.h"
#include "rl/group.h"
#include "rl/options.h"
#include "text/model_text.h"
#include "track/ledger.h"

namespace tritonrl::rl {

// A task of the run.
struct PoolTask {
  record::Task task;
  int level = 0;  // 0: not known
};

// One that is asked.
struct AskedTask {
  PoolTask of;
  text::AskedPrompt prompt;
};

// Who answers and who judges.
struct RolloutTools {
  generate::Generator& generator;
  judge::Judge& judge;
  generate::SamplingOptions sampling;  // stop tokens are those of the tasks
  // What the model is given for a task; none: it leaves the model no room for an answer.
  std::function<std::optional<text::AskedPrompt>(const record::Task&)> ask;
  // An answer as a file that serves the task; may be empty.
  std::function<std::string(const record::Task&, std::string)> restore = {};
  std::function<bool()> stopped = {};                       // asked often, on any thread; may be empty
  std::function<void(const record::Verdict&)> judged = {};  // one at a time, for who shows progress; may be empty
};

struct RoundPlan {
  std::int64_t round = 0;
  double temperature = 1;
  std::uint64_t seed = 0;
  std::int64_t version = 0;  // of the weights that answer
};

struct RoundAnswers {
  bool complete = false;                         // else it was stopped; what there is, is in the ledger
  std::map<std::string, std::string> bad_tasks;  // that the judge will not take, with what is wrong
  double generate_seconds = 0;                   // while answers were made
  double wait_seconds = 0;                       // for verdicts, after the last answer
};

// The answers of a round to its tasks, judged. Tasks are answered a few at once; their answers are in the ledger before
// the next few are asked, and judged meanwhile: no more wait than the pool's queue holds. What the ledger has already
// is neither asked nor judged again. Answers to a task with the same code, to the letter, are judged once.
// `firsts`: of those that are answered together the first one's place; others are not asked.
RoundAnswers collect_answers(const RoundPlan& plan, std::span<const AskedTask> tasks,
                             std::span<const std::int64_t> firsts, const RlOptions& options, const RolloutTools& tools,
                             track::Ledger& ledger);

// What the ledger has of a round.
std::vector<Group> groups_of(std::int64_t round, std::span<const AskedTask> tasks, const track::Ledger& ledger);

}  // namespace tritonrl::rl
