#include "optimize/contest.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <thread>

#include "base/error.h"
#include "judge/pool.h"
#include "syntax/plain_form.h"

namespace tritonrl::optimize {
namespace {

constexpr std::chrono::milliseconds kLook{100};  // how soon the end of the time is noticed

int workers_of(int asked) {
  return asked > 0 ? asked : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace

record::Verdict Contest::TimedJudge::judge(const judge::Submission& submission) {
  const auto began = std::chrono::steady_clock::now();
  record::Verdict out = judge_.judge(submission);
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  ++count_;
  return out;
}

double Contest::average_seconds() const {
  return judge_.count_ == 0 ? 0 : judge_.seconds_ / judge_.count_;
}

Contest::Contest(judge::Judge& judge, record::Task task, ContestOptions options)
    : judge_(judge), task_(std::move(task)), options_(std::move(options)), workers_(workers_of(options_.workers)) {}

void Contest::judge(std::vector<Candidate> candidates) {
  std::erase_if(candidates, [&](const Candidate& one) {
    const bool again = !one.code.empty() && !seen_.insert(syntax::plain_text(one.code).value_or(one.code)).second;
    repeated_ += again ? 1 : 0;
    return again;
  });
  judge::Pool pool(judge_, {.threads = workers_, .queue = static_cast<int>(candidates.size()) + 1});
  std::vector<std::future<record::Verdict>> verdicts;
  for (const Candidate& one : candidates) {
    verdicts.push_back(pool.submit(
        {.id = one.source, .task = task_, .code = one.code, .extraction = one.extraction, .name = one.source + ".py"}));
  }
  bool cancelled = false;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    while (verdicts[i].wait_for(kLook) != std::future_status::ready) {
      if (cancelled || !over()) continue;
      pool.cancel();
      cancelled = true;
    }
    try {
      tried_.push_back({.candidate = std::move(candidates[i]), .verdict = verdicts[i].get(), .failed_at = {}});
    } catch (const base::InfrastructureError&) {
      if (!cancelled) throw;
      ++without_time_;
      continue;
    }
    if (options_.tried) options_.tried(tried_.back());
  }
}

Tried* Contest::best() {
  Tried* best = nullptr;
  for (Tried& one : tried_) {
    if (one.passed() && (best == nullptr || one.speedup() > best->speedup())) best = &one;
  }
  return best;
}

}  // namespace tritonrl::optimize
