#include "runner/device/device_timing.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "runner/device/driver.h"
#include "runner/device/output_watch.h"
#include "runner/device/stopwatch.h"

namespace tritonrl::runner {
namespace {

constexpr std::int64_t kFlushBytes = std::int64_t{256} << 20;  // several times any L2
constexpr int kLeastTrials = 10, kLeastLongTrials = 5;
constexpr double kLongMs = 100;      // trials that took so long together need not be ten
constexpr double kWarmMs = 60;       // of warm-up is enough for any kernel
constexpr double kHostMargin = 1.5;  // the GPU is kept busy for so many times what the host needs
constexpr double kUnknownHostUs = 400;
constexpr int kMostFlushes = 100;
constexpr int kAgainTrials = 3;     // of a reference whose time is known
constexpr double kSameTime = 0.01;  // of them: how near to what is known

using Clock = std::chrono::steady_clock;

double microseconds(Clock::duration time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Overwrites the L2 cache, and keeps the GPU busy.
class Flush {
 public:
  Flush() : memory_(at::empty({kFlushBytes}, at::TensorOptions().dtype(at::kByte).device(at::kCUDA, 0))) {
    Stopwatch watch;
    for (int i = 0; i < 3; ++i) {
      watch.start();
      run(1);
      watch.stop();
      us_ = watch.milliseconds() * 1000;
    }
  }
  void run(int times) {
    check(driver().cuCtxResetPersistingL2Cache_(), "cuCtxResetPersistingL2Cache");
    for (int i = 0; i < times; ++i) {
      check(driver().cuMemsetD32Async_(reinterpret_cast<CUdeviceptr>(memory_.data_ptr()), ++value_, kFlushBytes / 4,
                                       nullptr),
            "cuMemsetD32Async");
    }
  }
  int times_for(double us) const { return std::clamp(static_cast<int>(std::ceil(us / us_)), 1, kMostFlushes); }
  double microseconds() const { return us_; }

 private:
  at::Tensor memory_;
  unsigned value_ = 0;
  double us_ = 0;  // of one
};

// One of the two, and what its trials took.
struct Side {
  HeldProgram* program = nullptr;
  std::vector<double> device, host;
  // The least that was seen: a program that waits for the GPU somewhere would else be given ever more to wait for.
  double expected_host = std::numeric_limits<double>::infinity();
  int hidden = 0;
};

void trial(Side& side, const std::vector<at::Tensor>& inputs, const DeviceTimingOptions& options, Flush& flush,
           Stopwatch& watch) {
  HeldProgram& program = *side.program;
  program.rewind();
  program.give_inputs(inputs);
  program.prepare_memory();
  check(driver().cuCtxSynchronize_(), "before a trial");
  const int flushes = flush.times_for(kHostMargin * std::min(side.expected_host, kUnknownHostUs));
  const auto begin = Clock::now();
  flush.run(flushes);
  if (!options.use_events) check(driver().cuCtxSynchronize_(), "before a trial");
  const auto idle = Clock::now();
  watch.start();
  program.forward(options.seed);
  watch.stop();
  const double handed_over = microseconds(Clock::now() - begin);
  const double on_device = watch.milliseconds() * 1000;  // waits for the GPU
  side.device.push_back(options.use_events ? on_device : microseconds(Clock::now() - idle));
  side.host.push_back(handed_over);
  side.expected_host = std::min(side.expected_host, handed_over);
  side.hidden += handed_over < flushes * flush.microseconds();
}

// Whether the mean of the trials is known within this part of it.
bool is_known(const Side& side, double part) {
  if (side.device.size() < 2) return false;
  const auto count = static_cast<double>(side.device.size());
  double sum = 0, squares = 0;
  for (const double one : side.device) sum += one;
  const double mean = sum / count;
  for (const double one : side.device) squares += (one - mean) * (one - mean);
  return squares <= (part * mean) * (part * mean) * count * (count - 1);
}

// Whether a reference that was timed before takes the time that it took then: the rest need not be measured again.
bool is_as_before(const Side& side, double known_us) {
  if (known_us <= 0 || side.device.size() < kAgainTrials) return false;
  double sum = 0;
  for (const double one : side.device) sum += one;
  return std::abs(sum / static_cast<double>(side.device.size()) - known_us) <= kSameTime * known_us;
}

void forget(Side& side) {
  side.device.clear();
  side.host.clear();
  side.hidden = 0;
}

}  // namespace

DeviceTimes time_in_turns(HeldProgram& reference, HeldProgram& candidate, const std::vector<at::Tensor>& inputs,
                          const DeviceTimingOptions& options, DeviceSpace& space,
                          const std::function<void(const std::vector<at::Tensor>&)>& keep_outputs) {
  struct Quick {
    DeviceSpace& space;
    explicit Quick(DeviceSpace& one) : space(one) { space.be_quick(true); }
    ~Quick() { space.be_quick(false); }
  } const quick(space);
  reference.executor().wait_for_each(false);
  candidate.executor().wait_for_each(false);
  Flush flush;
  Stopwatch watch;
  Side sides[2];
  sides[0].program = &reference;
  sides[1].program = &candidate;
  const auto begin = Clock::now();
  const auto spent_ms = [&] { return microseconds(Clock::now() - begin) / 1000; };
  const int warmup = std::max(2, options.warmup);
  for (int i = 0; i < warmup; ++i) {
    for (Side& side : sides) trial(side, inputs, options, flush, watch);
    // long ones are warm after two
    if (i >= 1 && spent_ms() > kWarmMs) break;
  }
  for (Side& side : sides) forget(side);
  OutputWatch outputs(options.secret);
  const double warmed = spent_ms();
  for (int i = 0; i < options.trials; ++i) {
    const bool as_before = is_as_before(sides[0], options.reference_us);
    const bool known = (as_before || is_known(sides[0], options.enough)) && is_known(sides[1], options.enough);
    const int least = spent_ms() - warmed > kLongMs ? kLeastLongTrials : kLeastTrials;
    const bool over = i + 1 >= least && (known || spent_ms() > static_cast<double>(options.budget_ms));
    for (int turn = 0; turn < 2; ++turn) {
      Side& side = sides[(i + turn) % 2];
      if (as_before && side.program == &reference) continue;
      trial(side, inputs, options, flush, watch);
      if (side.program != &candidate) continue;
      if (i == 0) keep_outputs(candidate.outputs());
      outputs.look(candidate.outputs());
    }
    if (over) break;
  }
  reference.executor().wait_for_each(true);
  candidate.executor().wait_for_each(true);
  return {.reference_us = std::move(sides[0].device),
          .candidate_us = std::move(sides[1].device),
          .reference_host_us = median(sides[0].host),
          .candidate_host_us = median(sides[1].host),
          .hidden = sides[1].hidden,
          .differing = outputs.differing()};
}

}  // namespace tritonrl::runner
