#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace tritonrl::train {

// Whether this machine will be taken away: a file that appears, or an address whose answer turns from 404 (Not Found)
// to 200, as those of clouds do. The address is asked by a thread of its own.
class SpotNotice {
 public:
  // `place`: a path, http://… or https://…; empty: there is never a notice. The address is asked once before this
  // returns; `warn` is told, once, that no answer or another one came, perhaps from another thread.
  SpotNotice(std::string place, std::function<void(const std::string&)> warn,
             std::chrono::milliseconds every = std::chrono::seconds(5));
  ~SpotNotice();
  SpotNotice(const SpotNotice&) = delete;
  SpotNotice& operator=(const SpotNotice&) = delete;

  bool came() const;
  const std::string& place() const { return place_; }

  static bool is_address(const std::string& place);

 private:
  bool ask();
  void watch(const std::stop_token& stop);

  const std::string place_;
  const std::function<void(const std::string&)> warn_;
  const std::chrono::milliseconds every_;
  std::atomic<bool> came_ = false;
  bool warned_ = false;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace tritonrl::train
