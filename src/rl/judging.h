#pragma once

#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "judge/judge.h"
#include "judge/pool.h"
#include "track/ledger.h"

namespace tritonrl::rl {

// Answers on their way through the judge. A verdict is in the ledger as soon as it is given, for every answer that it
// holds of; what failed through no fault of the answer is not, so that it is tried again by the next start.
class LedgerJudging {
 public:
  // All must outlive it. `told` (may be empty) is called for each answer with its verdict, one at a time.
  LedgerJudging(judge::Judge& judge, int workers, track::Ledger& ledger,
                std::function<void(const record::Verdict&)> told);

  // One program and the answers that are it. Blocks while the queue is full.
  void add(judge::Submission submission, std::vector<track::SampleKey> answers);
  // Waits until all are judged. False: `stopped` said so first, and what was not begun is given up.
  bool finish(const std::function<bool()>& stopped);

  // Tasks that the judge will not take, by what is wrong with them.
  const std::map<std::string, std::string>& bad_tasks() const { return bad_tasks_; }

 private:
  // Keeps what it is told.
  class Keeping : public judge::Judge {
   public:
    explicit Keeping(LedgerJudging& owner) : owner_(owner) {}
    record::Verdict judge(const judge::Submission& submission) override;

   private:
    LedgerJudging& owner_;
  };

  judge::Judge& judge_;
  track::Ledger& ledger_;
  const std::function<void(const record::Verdict&)> told_;
  std::mutex mutex_;
  std::map<std::string, std::vector<track::SampleKey>> answers_;                // by submission
  std::vector<std::pair<std::string, std::future<record::Verdict>>> verdicts_;  // by task
  std::map<std::string, std::string> bad_tasks_;
  Keeping keeping_;
  judge::Pool pool_;  // gone first
};

}  // namespace tritonrl::rl
