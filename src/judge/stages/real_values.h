#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "judge/row_task.h"
#include "judge/stages/base.h"
#include "judge/trial.h"

namespace tritonrl::judge {

// Values at the task's own sizes without a GPU: the rows that executed programs store against the reference on those
// rows alone. First on the sample of programs that runs anyway; then, where that is cheap enough
// (JudgeOptions::real_values_ms), on all of them.
class RealValues {
 public:
  // Nothing is looked at where the task has no rows, or a GPU computes everything.
  RealValues(const Trial& trial, const SizedCandidate& real);

  // Has a sampled run send values back too.
  void ask(runner::RunRequest& how) const;

  // What the sampled run of a configuration shows; the finding is not yet written down.
  std::optional<Finding> judge_sample(const runner::RunRequest& how, const runner::RunOutcome& outcome);
  // After all samples: all programs of those configurations, one after the other while that is cheap.
  std::optional<Finding> judge_whole();

  // What was not seen, as `unseen` of the verdict has it; empty: all programs ran, and all rows were compared.
  std::string unseen() const;
  std::string note() const { return note_; }  // why nothing was compared; empty: something was, or nothing could be
  bool compared() const { return compared_ > 0; }  // the first configuration's values, of a sample at least
  bool all_programs() const { return whole_; }

 private:
  struct Cheap {
    runner::RunRequest how;
    double milliseconds = 0;
    bool whole = false;  // the sample held all programs
  };
  std::optional<Finding> judge(const runner::RunRequest& how, const runner::RunOutcome& outcome);
  Finding wrong(std::string message) const;

  const Trial& trial_;
  std::shared_ptr<const RowTask> rows_;
  std::vector<GivenState> state_;           // other than the constructor's, of reference and candidate
  std::vector<runner::DrawnTensor> drawn_;  // the same, as the candidate has it
  std::vector<Cheap> samples_;
  int compared_ = 0;
  bool whole_ = false, all_rows_ = false;
  std::string note_;
};

}  // namespace tritonrl::judge
