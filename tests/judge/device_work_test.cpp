#include <gtest/gtest.h>

#include "judge/stages/measure.h"
#include "runner/device_process.h"

// What options say of measured times reaches the process that takes them. Needs no GPU.

namespace tritonrl::judge {
namespace {

TEST(DeviceWork, CarriesHowToTime) {
  JudgeOptions options;
  options.timing_num_warmup = 3;
  options.timing_num_trials = 7;
  EXPECT_TRUE(device_work(options).use_events);
  EXPECT_TRUE(runner::timing_request(device_work(options), 0).use_events);
  options.timing_use_events = false;
  // as it goes over the wire
  const base::Json request = base::to_json(runner::timing_request(device_work(options), 12.5));
  EXPECT_EQ(request.at("use_events"), false);
  EXPECT_EQ(request.at("warmup"), 3);
  EXPECT_EQ(request.at("trials"), 7);
  EXPECT_EQ(request.at("reference_us"), 12.5);
}

TEST(DeviceWork, CarriesWhatIsTriedAndTimed) {
  JudgeOptions options;
  options.enable_staged_eval = options.enable_calibrated_timing = options.staged_skip_timing_on_failure = false;
  const runner::DeviceWork work = device_work(options);
  EXPECT_TRUE(work.all_draws);
  EXPECT_TRUE(work.time_wrong);
  EXPECT_FALSE(work.timed);
}

}  // namespace
}  // namespace tritonrl::judge
