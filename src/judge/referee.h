#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "judge/options.h"
#include "judge/replay.h"
#include "judge/row_task.h"
#include "judge/task_case.h"

namespace tritonrl::judge {

struct RefereeOptions {
  JudgeOptions judge;
  runner::RunnerOptions runner;  // of the process that computes for the referee
  std::uint64_t secret = 0;      // all seeds follow from it and the task
};

// What the reference makes of some rows.
struct RowAnswer {
  std::vector<runner::TensorData> expected;
  std::vector<runner::TensorData> oracle, coarse;  // as Draw has them
  bool finite = true;                              // all that is expected
};

// Tells tasks apart by what they say.
std::string task_key(const record::Task& task);

// Knows the answers: inputs, parameters, reference outputs and their higher-precision oracle, seeds. It computes in a
// process of its own, which never sees a candidate, and hands out inputs and expected outputs to the judge alone.
// Thread-safe; a task is prepared once, and others who want it wait.
class Referee {
 public:
  Referee(const Replayer& replayer, RefereeOptions options);
  ~Referee();
  Referee(const Referee&) = delete;
  Referee& operator=(const Referee&) = delete;

  // UserError where the task's owner must fix something.
  std::shared_ptr<const TaskCase> prepare(const record::Task& task);

  // How many sizes larger than `small` there are, cheapest first, and the task at one of them; null if the reference
  // does not run there. Searched and computed when first asked for.
  std::size_t larger_sizes(const TaskCase& task);
  std::shared_ptr<const SizedTask> larger(const TaskCase& task, std::size_t index);
  // The same as a text alone, and with no other draw than `original`.
  record::Task larger_task(const TaskCase& task, std::size_t index);
  std::shared_ptr<const SizedTask> larger_original(const TaskCase& task, std::size_t index);
  // The one of them at which a candidate last did all that it does at the real sizes.
  std::optional<std::size_t> helpful_size(const TaskCase& task) const;
  void remember_helpful(const TaskCase& task, std::size_t index);
  // Sizes that are multiples of such blocks, cheap ones first, which ones is secret; all draws, or `original` alone.
  std::size_t fitted_sizes(const TaskCase& task, const std::vector<std::int64_t>& blocks);
  std::shared_ptr<const SizedTask> fitted(const TaskCase& task, const std::vector<std::int64_t>& blocks,
                                          std::size_t index, bool all_draws);
  // The task at fewer rows than `small`; null if there is no such size.
  std::shared_ptr<const SizedTask> lighter(const TaskCase& task);

  // The task by rows; null: it has none. Searched when first asked for.
  std::shared_ptr<const RowTask> rows(const TaskCase& task);
  std::uint64_t row_seed(const TaskCase& task) const;  // of parameters
  // What the reference, on as many rows as `size` has, makes of these inputs with such a state (of RowTask::state);
  // null where it does not run. The last few answers are kept.
  std::shared_ptr<const RowAnswer> answer(const TaskCase& task, const RowTask::Narrow& size,
                                          const std::vector<runner::TensorData>& inputs,
                                          const std::vector<GivenState>& state);
  // Whether the reference refuses negative inputs: told by whoever found out.
  bool needs_positive(const TaskCase& task) const;
  void remember_positive(const TaskCase& task);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tritonrl::judge
