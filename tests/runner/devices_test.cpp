#include "runner/devices.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "base/error.h"
#include "runner/gpu_lock.h"

namespace tritonrl::runner {
namespace {

TEST(DeviceIndices, NameOneOrSeveral) {
  EXPECT_EQ(device_indices("cuda", 1), std::vector<int>({0}));
  EXPECT_EQ(device_indices("cuda:1", 8), std::vector<int>({1}));
  EXPECT_EQ(device_indices("cuda:0,2,12", 8), std::vector<int>({0, 2, 12}));
  EXPECT_EQ(device_indices("cuda:all", 3), std::vector<int>({0, 1, 2}));
}

TEST(DeviceIndices, RefuseWhatNamesNone) {
  for (const char* text : {"gpu", "cuda1", "cuda:", "cuda:x", "cuda:1,", "cuda:-1", "cuda:1,1", "cuda:1 2"}) {
    EXPECT_THROW(device_indices(text, 2), base::UserError) << text;
  }
  EXPECT_THROW(device_indices("cuda:all", 0), base::UserError);
}

std::string fresh_name() {
  return "test-" + std::to_string(::getpid()) + "-" +
         std::to_string(std::chrono::steady_clock::now().time_since_epoch().count());
}

TEST(GpuLock, WhoMeasuresIsAlone) {
  const std::string gpu = fresh_name();
  // opened twice: as two processes would
  const GpuLock one(gpu), other(gpu);
  std::atomic<bool> measures = false;
  std::jthread second;
  {
    const GpuLock::Held computes(one, GpuLock::Kind::kShared);
    { const GpuLock::Held too(other, GpuLock::Kind::kShared); }  // does not wait
    second = std::jthread([&] {
      const GpuLock::Held alone(other, GpuLock::Kind::kAlone);
      measures = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_FALSE(measures);
  }
  second.join();
  EXPECT_TRUE(measures);
}

TEST(GpuLock, IsFreeAgainWhenItsProcessDies) {
  const std::string gpu = fresh_name();
  const pid_t child = ::fork();
  if (child == 0) {
    const GpuLock lock(gpu);
    const GpuLock::Held held(lock, GpuLock::Kind::kAlone);
    ::_exit(0);  // without giving it back
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  const GpuLock lock(gpu);
  const GpuLock::Held held(lock, GpuLock::Kind::kAlone);
}

}  // namespace
}  // namespace tritonrl::runner
