// Claim: recording from a warm zygote is two orders of magnitude faster than starting a new Python for each candidate.
// Both sides run the same recorder on the same candidates (the examples) under the same sandbox.
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

#include "tests/python/corpus.h"
#include "tests/python/test_recorder.h"

using namespace tritonrl;
using Clock = std::chrono::steady_clock;

namespace {

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::vector<python::RecordRequest> example_requests() {
  std::vector<python::RecordRequest> out;
  for (const python::CorpusPair& pair : python::read_corpus()) {
    if (pair.task_file.starts_with("examples/")) out.push_back(python::candidate_request(pair.task, pair.candidate));
  }
  return out;
}

double warm_rate(python::Recorder& recorder, const std::vector<python::RecordRequest>& requests, int threads,
                 int each) {
  const auto begin = Clock::now();
  std::vector<std::thread> workers;
  for (int t = 0; t < threads; ++t) {
    workers.emplace_back([&] {
      for (int i = 0; i < each; ++i) recorder.record(requests[i % requests.size()]);
    });
  }
  for (std::thread& worker : workers) worker.join();
  return threads * each / seconds_since(begin);
}

double cold_rate(const std::vector<python::RecordRequest>& requests, int count) {
  const auto begin = Clock::now();
  for (int i = 0; i < count; ++i) {
    python::Recorder fresh(python::test_recorder_options());
    fresh.record(requests[i % requests.size()]);
  }
  return count / seconds_since(begin);
}

}  // namespace

int main() {
  const std::vector<python::RecordRequest> requests = example_requests();
  python::Recorder recorder(python::test_recorder_options());
  warm_rate(recorder, requests, 1, 20);  // pages and caches
  const double one = warm_rate(recorder, requests, 1, 200);
  const double two = warm_rate(recorder, requests, 2, 100);
  const double cold = cold_rate(requests, 5);
  std::printf(
      "recordings/s   warm zygote %.1f (1 thread), %.1f (2 threads)   new Python each %.2f   ratio %.0fx and %.0fx\n",
      one, two, cold, one / cold, two / cold);
  return 0;
}
