#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

#include "judge/judge.h"

namespace tritonrl::judge {

struct PoolOptions {
  int threads = 0;                 // candidates judged at once; 0: two a core, since each waits for its processes
  int queue = 0;                   // submissions that wait beside those being judged; 0: twice the threads
  int infrastructure_retries = 2;  // more tries after a verdict of kind infrastructure, which is given if none helps
  std::chrono::milliseconds retry_pause{100};  // before each of them; doubles
};

// Several threads over one judge.
class Pool {
 public:
  // `judge` must outlive the pool.
  Pool(Judge& judge, const PoolOptions& options);
  // Cancels what waits, finishes what is being judged.
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // Blocks while the queue is full. Work begins in the order of submission. The future has the verdict, or what
  // judge() threw, or an InfrastructureError if the pool was cancelled first. `finished` is called once it is ready, on
  // any thread. Thread-safe.
  std::future<record::Verdict> submit(Submission submission, std::function<void()> finished = {});

  // Submissions that wait get their InfrastructureError now, later ones at once; retries stop. Does not wait for those
  // being judged. Thread-safe.
  void cancel();

  int threads() const { return static_cast<int>(threads_.size()); }

 private:
  struct Job {
    Submission submission;
    std::promise<record::Verdict> promise;
    std::function<void()> finished;
  };
  static void cancel(Job& job);
  void work();
  void run(Job& job);

  Judge& judge_;
  const PoolOptions options_;
  const std::size_t capacity_;
  std::mutex mutex_;
  std::condition_variable work_came_, place_came_, cancel_came_;
  std::deque<Job> waiting_;
  bool cancelled_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace tritonrl::judge
