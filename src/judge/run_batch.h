#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "runner/runner.h"

namespace tritonrl::judge {

// Runs of one candidate that are executed together, in one process: put those of one program side by side.
class RunBatch {
 public:
  using Take = std::function<void(runner::RunOutcome&&)>;

  void add(runner::RunRequest request, Take take) {
    requests_.push_back(std::move(request));
    takes_.push_back(std::move(take));
  }

  // Executes all that was added, in order, and hands out what became of it.
  void run(runner::Runner& runner, const base::Budget& budget) {
    std::vector<runner::RunOutcome> outcomes = runner.run_all(requests_, /*one_party=*/true, budget);
    for (std::size_t i = 0; i < outcomes.size(); ++i) takes_[i](std::move(outcomes[i]));
    requests_.clear();
    takes_.clear();
  }

 private:
  std::vector<runner::RunRequest> requests_;
  std::vector<Take> takes_;
};

}  // namespace tritonrl::judge
