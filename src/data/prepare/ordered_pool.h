#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace tritonrl::data {

// Work done by several threads and given back in the order in which it came in. At most `window` pieces are on the way.
template <class In, class Out>
class OrderedPool {
 public:
  using Work = std::function<Out(In)>;

  // `make_work` is called once in each thread: what it gives may keep state of its own.
  OrderedPool(int threads, std::size_t window, const std::function<Work()>& make_work) : window_(window) {
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this, make_work] { run(make_work); });
  }
  // What waits is dropped, what is being done is waited for.
  ~OrderedPool() { cancel(); }
  OrderedPool(const OrderedPool&) = delete;
  OrderedPool& operator=(const OrderedPool&) = delete;

  // Blocks while the window is full. False once the pool was cancelled: nothing more is taken.
  bool submit(In in) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return cancelled_ || submitted_ - taken_ < window_; });
    if (cancelled_) return false;
    waiting_.emplace_back(submitted_++, std::move(in));
    changed_.notify_all();
    return true;
  }
  // No more will be submitted.
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  // The next result; none after the last. What a worker threw is thrown here.
  std::optional<Out> next() {
    std::unique_lock lock(mutex_);
    changed_.wait(
        lock, [&] { return failure_ || cancelled_ || done_.contains(taken_) || (closed_ && taken_ == submitted_); });
    if (failure_) std::rethrow_exception(failure_);
    const auto found = done_.find(taken_);
    if (found == done_.end()) return std::nullopt;
    Out out = std::move(found->second);
    done_.erase(found);
    ++taken_;
    changed_.notify_all();
    return out;
  }
  void cancel() {
    {
      const std::lock_guard lock(mutex_);
      cancelled_ = true;
      changed_.notify_all();
    }
    threads_.clear();
  }
  // next() throws this from now on: for whoever submits and cannot go on.
  void fail(std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = failure;
    changed_.notify_all();
  }

 private:
  void run(const std::function<Work()>& make_work) {
    try {
      const Work work = make_work();
      for (;;) {
        std::optional<std::pair<std::size_t, In>> job;
        {
          std::unique_lock lock(mutex_);
          changed_.wait(lock, [&] { return cancelled_ || !waiting_.empty() || closed_; });
          if (cancelled_ || waiting_.empty()) return;
          job.emplace(std::move(waiting_.front()));
          waiting_.pop_front();
        }
        Out out = work(std::move(job->second));
        const std::lock_guard lock(mutex_);
        done_.emplace(job->first, std::move(out));
        changed_.notify_all();
      }
    } catch (...) {
      fail(std::current_exception());
    }
  }

  const std::size_t window_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::pair<std::size_t, In>> waiting_;
  std::map<std::size_t, Out> done_;
  std::size_t submitted_ = 0, taken_ = 0;
  bool closed_ = false, cancelled_ = false;
  std::exception_ptr failure_;
  std::vector<std::jthread> threads_;
};

}  // namespace tritonrl::data
