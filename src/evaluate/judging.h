#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <future>
#include <list>
#include <mutex>
#include <thread>

#include "evaluate/sample_result.h"
#include "judge/judge.h"
#include "judge/pool.h"

namespace tritonrl::evaluate {

// Answers on their way through the judge, several at once, and out again as soon as each is judged. `result_came` is
// called on one thread of its own. Results that a stop disturbed are not told.
class Judging {
 public:
  Judging(judge::Judge& judge, int workers, std::function<bool()> stopped,
          std::function<void(SampleResult)> result_came);
  // Gives up what waits.
  ~Judging();
  Judging(const Judging&) = delete;
  Judging& operator=(const Judging&) = delete;

  // Blocks while the queue is full.
  void add(SampleResult answer, const record::Task& task);
  // Judged already.
  void add(SampleResult result);
  // True once nothing more is judged: the run was stopped, or results cannot be told.
  bool stopped() const { return stopped_; }
  // Returns once all is judged and told. Throws what result_came threw.
  void finish();

 private:
  struct Ticket {
    SampleResult result;
    std::future<record::Verdict> verdict;
    bool ready = false;  // there is a verdict, or needs none
  };
  void collect();
  void tell(Ticket ticket);
  void close();

  const std::function<bool()> ask_stopped_;
  const std::function<void(SampleResult)> result_came_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Ticket> tickets_;
  bool ended_ = false;
  std::atomic<bool> stopped_ = false;
  std::exception_ptr failure_;
  judge::Pool pool_;
  std::thread collecting_;
};

}  // namespace tritonrl::evaluate
