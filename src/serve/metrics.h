#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace tritonrl::serve {

// What is counted while the service runs. Thread-safe.
class Metrics {
 public:
  void request(std::string_view route, int status);
  void verdict(std::string_view kind, double seconds);
  void tokens(std::int64_t prompt, std::int64_t answer);

  // What is asked for at the moment of writing.
  struct Gauges {
    std::int64_t waiting = 0, judging = 0, jobs = 0, connections = 0, prompts = 0;
  };
  // In Prometheus' text form.
  std::string text(const Gauges& gauges) const;

 private:
  static constexpr std::array<double, 10> kBounds = {0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120};  // seconds

  mutable std::mutex mutex_;
  const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::map<std::pair<std::string, int>, std::int64_t> requests_;
  std::map<std::string, std::int64_t, std::less<>> verdicts_;
  std::array<std::int64_t, kBounds.size()> within_{};
  std::int64_t judged_ = 0, prompt_tokens_ = 0, answer_tokens_ = 0;
  double seconds_ = 0;
};

}  // namespace tritonrl::serve
