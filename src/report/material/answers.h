#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "record/sample_result.h"
#include "record/verdict.h"

namespace tritonrl::report {

// One answer of a model, as a report may show it.
struct Answer {
  record::SampleResult result;
  std::optional<record::Verdict> verdict = std::nullopt;  // the whole one, where it was kept
  std::int64_t round = 0;                                 // of reinforcement learning; 0: of an evaluation
  std::string remark = {};                                // what was decided of it, and why
};

// What became of many answers: counts of all and the few that a person should see. Its memory does not grow with the
// answers but for a number each right one.
class AnswerTally {
 public:
  // Answers that came so far on the judge's way; each count is part of the one before.
  struct Funnel {
    std::int64_t judged = 0;  // those that could be judged at all
    std::int64_t with_code = 0;
    std::int64_t valid = 0;     // whose file can be a solution, and which do not cheat
    std::int64_t compiled = 0;  // and were executed
    std::int64_t tiny = 0;      // and are right at the smallest sizes
    std::int64_t correct = 0;
    std::int64_t faster = 0;  // than the reference
  };
  struct Outcome {
    std::int64_t count = 0;
    Answer example;  // the shortest that has code, else the first
  };

  void add(const Answer& answer);
  // A winner that a person should read.
  void add_suspicious(const Answer& answer);

  const Funnel& funnel() const { return funnel_; }
  std::int64_t unjudged() const { return unjudged_; }  // no fault of theirs
  // Of right answers that were timed.
  const std::vector<double>& speedups() const { return speedups_; }
  bool measured() const { return measured_; }
  bool modelled() const { return modelled_; }
  // What became of those that did not pass, by its name.
  const std::map<std::string, Outcome>& failures() const { return failures_; }
  // Right answers, the fastest or slowest first, one a task.
  const std::vector<Answer>& fastest() const { return fastest_; }
  const std::vector<Answer>& slowest() const { return slowest_; }
  const std::vector<Answer>& suspicious() const { return suspicious_; }
  std::int64_t suspicious_count() const { return suspicious_count_; }

 private:
  Funnel funnel_;
  std::int64_t unjudged_ = 0, suspicious_count_ = 0;
  std::vector<double> speedups_;
  bool measured_ = false, modelled_ = false;
  std::map<std::string, Outcome> failures_;
  std::vector<Answer> fastest_, slowest_, suspicious_;
};

}  // namespace tritonrl::report
