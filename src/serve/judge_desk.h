#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "judge/judge.h"
#include "judge/options.h"
#include "judge/pool.h"
#include "serve/metrics.h"

namespace tritonrl::serve {

// The judge's options that a request may choose for itself: those that neither let more pass than the rules do, nor
// take more of the machine.
inline constexpr const char* kRequestOptions[] = {"policy", "min_work_share", "weigh_by_work", "require_general"};

// How one candidate's turn ended: a verdict, or what is wrong with its task, or (neither) it was given up.
struct Judged {
  std::optional<record::Verdict> verdict;
  std::string task_problem;
};

// Where candidates wait for the judge: at most so many, and so many bytes of them.
class JudgeDesk {
 public:
  // A judge with these options; called once for each set of options that is asked for.
  using MakeJudge = std::function<std::shared_ptr<judge::Judge>(const judge::JudgeOptions&)>;
  struct Limits {
    int workers = 0;  // judged at once; 0: two a core
    std::int64_t queue = 512, bytes = std::int64_t{256} << 20;
  };
  JudgeDesk(MakeJudge make, const judge::JudgeOptions& options, const Limits& limits, Metrics& metrics);
  // Gives up what waits, finishes what is being judged.
  ~JudgeDesk();

  // What is wrong with options that came with a candidate; empty: nothing. Null and {} are the service's own.
  std::string problem_with(const base::Json& options) const;

  struct Work {
    judge::Submission submission;
    base::Json options;                    // without a problem
    std::function<bool()> abandoned;       // asked before it is judged: nobody waits for it any more. May be empty
    std::function<void(Judged)> finished;  // called once, on any thread, the caller's too
  };
  enum class Room { kTaken, kFull, kNever };
  // All of them or none. kFull: later, maybe; kNever: they are more than ever fit.
  Room take(std::vector<Work> works);

  // Seconds after which there may be room.
  int seconds_until_room() const;
  std::int64_t waiting() const;
  std::int64_t judging() const { return judging_; }
  std::size_t most() const { return static_cast<std::size_t>(limits_.queue); }  // candidates that are taken at once

  // What waits and what comes is given up; what is being judged is finished. Does not wait for it.
  void stop();

 private:
  struct Ticket;
  class TicketJudge;
  std::shared_ptr<judge::Judge> judge_for(const judge::JudgeOptions& options);
  judge::JudgeOptions with(const base::Json& options) const;
  record::Verdict judge(const judge::Submission& submission);
  void hand_over(Work work, std::int64_t bytes);
  void finish(const std::shared_ptr<Ticket>& ticket);

  const MakeJudge make_;
  const judge::JudgeOptions options_;
  const Limits limits_;
  Metrics& metrics_;
  mutable std::mutex mutex_;
  std::mutex making_;                                                    // held while a judge is made, which takes long
  std::map<std::string, std::shared_ptr<judge::Judge>> judges_;          // by the key of their options
  std::map<std::string, std::shared_ptr<Ticket>, std::less<>> tickets_;  // by the id of their submission
  std::int64_t next_ = 0, taken_ = 0, bytes_ = 0;
  double mean_seconds_ = 1;  // of the last candidates
  std::atomic<std::int64_t> judging_ = 0;
  std::atomic<bool> stopped_ = false;
  std::unique_ptr<TicketJudge> ticket_judge_;
  std::unique_ptr<judge::Pool> pool_;
};

}  // namespace tritonrl::serve
