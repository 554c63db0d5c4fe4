#pragma once

#include <atomic>
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
  int workers = 0;  // candidates judged at once; 0: one a core
  // Whether the time is over for what takes so many seconds: asked often, with what a candidate takes on average.
  std::function<bool(double seconds)> over;
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
  // For one candidate more.
  bool over() const { return options_.over && options_.over(average_seconds()); }
  int workers() const { return workers_; }
  const record::Task& task() const { return task_; }

 private:
  // Measures what a candidate takes.
  class TimedJudge : public judge::Judge {
   public:
    explicit TimedJudge(judge::Judge& judge) : judge_(judge) {}
    record::Verdict judge(const judge::Submission& submission) override;

   private:
    friend class Contest;
    judge::Judge& judge_;
    std::atomic<double> seconds_ = 0;  // of all
    std::atomic<int> count_ = 0;
  };
  double average_seconds() const;

  TimedJudge judge_;
  const record::Task task_;
  const ContestOptions options_;
  const int workers_;
  std::deque<Tried> tried_;
  std::set<std::string> seen_;
  int repeated_ = 0, without_time_ = 0;
};

}  // namespace tritonrl::optimize
