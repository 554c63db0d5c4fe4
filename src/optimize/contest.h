#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "judge/judge.h"
#include "optimize/candidate.h"
#include "record/task.h"

namespace tritonrl::optimize {

struct ContestOptions {
  int workers = 0;                          // candidates judged at once; 0: one a core
  std::function<bool()> over;               // asked often: nothing new is begun any more
  std::function<void(const Tried&)> tried;  // as soon as each is judged, in the order of a round
};

// Candidates for one task, judged and compared. For one thread.
class Contest {
 public:
  // `judge` must outlive it.
  Contest(judge::Judge& judge, record::Task task, ContestOptions options);

  // Judges those that are no repetition of an earlier one (by their code in normal form), several at once. Those for
  // which there was no time are counted, no more. UserError where the task must be fixed.
  void judge(std::vector<Candidate> candidates);

  // The fastest that passed; nullptr: none did. Stays where it is.
  Tried* best();
  const std::deque<Tried>& all() const { return tried_; }
  int repeated() const { return repeated_; }
  int without_time() const { return without_time_; }
  bool over() const { return options_.over && options_.over(); }
  int workers() const { return workers_; }
  const record::Task& task() const { return task_; }

 private:
  judge::Judge& judge_;
  const record::Task task_;
  const ContestOptions options_;
  const int workers_;
  std::deque<Tried> tried_;
  std::set<std::string> seen_;
  int repeated_ = 0, without_time_ = 0;
};

}  // namespace tritonrl::optimize
