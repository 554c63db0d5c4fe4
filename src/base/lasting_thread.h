#pragma once

#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>
#include <utility>

namespace tritonrl::base {

// Runs something in a thread of its own, which then stays until this is destroyed. For starting helper processes side
// by side: the system ends a process that asked for it when the *thread* that started it ends.
class LastingThread {
 public:
  template <class Work>
  explicit LastingThread(Work work)
      : thread_([this, work = std::move(work)](const std::stop_token& stop) mutable {
          work();
          std::unique_lock<std::mutex> lock(mutex_);
          stopped_.wait(lock, stop, [] { return false; });
        }) {}

 private:
  std::mutex mutex_;
  std::condition_variable_any stopped_;
  std::jthread thread_;
};

// The future of what `make` returns or throws, computed by `threads`' next thread.
template <class Threads, class Make>
auto made_aside(Threads& threads, Make make) -> std::future<decltype(make())> {
  std::packaged_task<decltype(make())()> task(std::move(make));
  auto out = task.get_future();
  threads.emplace_back(std::move(task));
  return out;
}

}  // namespace tritonrl::base
