#include "rl/judging.h"

#include <chrono>

#include "base/error.h"

namespace tritonrl::rl {
namespace {

constexpr std::chrono::milliseconds kLook{100};  // how soon a stop is noticed

}  // namespace

LedgerJudging::LedgerJudging(judge::Judge& judge, int workers, track::Ledger& ledger,
                             std::function<void(const record::Verdict&)> told)
    : judge_(judge),
      ledger_(ledger),
      told_(std::move(told)),
      keeping_(*this),
      pool_(keeping_, judge::PoolOptions{.threads = workers}) {}

record::Verdict LedgerJudging::Keeping::judge(const judge::Submission& submission) {
  record::Verdict verdict = owner_.judge_.judge(submission);
  if (verdict.kind == record::VerdictKind::kInfrastructure) return verdict;
  const std::lock_guard lock(owner_.mutex_);
  for (const track::SampleKey& key : owner_.answers_.at(submission.id)) {
    owner_.ledger_.add_verdict(key, verdict);
    if (owner_.told_) owner_.told_(verdict);
  }
  return verdict;
}

void LedgerJudging::add(judge::Submission submission, std::vector<track::SampleKey> answers) {
  const track::SampleKey first = answers.front();
  submission.id = std::to_string(first.round) + "/" + std::to_string(first.place) + "/" + std::to_string(first.index);
  {
    const std::lock_guard lock(mutex_);
    answers_[submission.id] = std::move(answers);
  }
  const std::string task = submission.task.id;
  verdicts_.emplace_back(task, pool_.submit(std::move(submission)));
}

bool LedgerJudging::finish(const std::function<bool()>& stopped) {
  bool whole = true;
  for (auto& [task, verdict] : verdicts_) {
    while (whole && verdict.wait_for(kLook) != std::future_status::ready) {
      if (!stopped || !stopped()) continue;
      whole = false;
      pool_.cancel();
    }
    try {
      verdict.get();
    } catch (const base::UserError& error) {
      bad_tasks_.emplace(task, error.what());
    } catch (const base::InfrastructureError&) {  // cancelled, or ours: not in the ledger
    }
  }
  verdicts_.clear();
  return whole;
}

}  // namespace tritonrl::rl
