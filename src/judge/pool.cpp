#include "judge/pool.h"

#include <algorithm>

#include "base/error.h"

namespace tritonrl::judge {
namespace {

int thread_count(const PoolOptions& options) {
  return options.threads > 0 ? options.threads : 2 * std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace

Pool::Pool(Judge& judge, const PoolOptions& options)
    : judge_(judge),
      options_(options),
      capacity_(static_cast<std::size_t>(options.queue > 0 ? options.queue : 2 * thread_count(options))) {
  for (int i = 0; i < thread_count(options); ++i) threads_.emplace_back([this] { work(); });
}

Pool::~Pool() {
  cancel();
  threads_.clear();
}

std::future<record::Verdict> Pool::submit(Submission submission, std::function<void()> finished) {
  Job job{std::move(submission), {}, std::move(finished)};
  std::future<record::Verdict> future = job.promise.get_future();
  std::unique_lock lock(mutex_);
  place_came_.wait(lock, [this] { return cancelled_ || waiting_.size() < capacity_; });
  if (cancelled_) {
    lock.unlock();
    cancel(job);
    return future;
  }
  waiting_.push_back(std::move(job));
  work_came_.notify_one();
  return future;
}

void Pool::cancel() {
  std::deque<Job> dropped;
  {
    const std::lock_guard lock(mutex_);
    cancelled_ = true;
    dropped.swap(waiting_);
  }
  work_came_.notify_all();
  place_came_.notify_all();
  cancel_came_.notify_all();
  for (Job& job : dropped) cancel(job);
}

void Pool::cancel(Job& job) {
  job.promise.set_exception(
      std::make_exception_ptr(base::InfrastructureError("judge", "cancelled before it was judged")));
  if (job.finished) job.finished();
}

void Pool::work() {
  for (;;) {
    std::unique_lock lock(mutex_);
    work_came_.wait(lock, [this] { return cancelled_ || !waiting_.empty(); });
    if (cancelled_) return;
    Job job = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    place_came_.notify_one();
    run(job);
  }
}

void Pool::run(Job& job) {
  try {
    record::Verdict verdict = judge_.judge(job.submission);
    std::chrono::milliseconds pause = options_.retry_pause;
    for (int retry = 0; retry < options_.infrastructure_retries; ++retry, pause *= 2) {
      if (verdict.kind != record::VerdictKind::kInfrastructure) break;
      {
        std::unique_lock lock(mutex_);
        if (cancel_came_.wait_for(lock, pause, [this] { return cancelled_; })) break;
      }
      verdict = judge_.judge(job.submission);
    }
    job.promise.set_value(std::move(verdict));
  } catch (...) {
    job.promise.set_exception(std::current_exception());
  }
  if (job.finished) job.finished();
}

}  // namespace tritonrl::judge
