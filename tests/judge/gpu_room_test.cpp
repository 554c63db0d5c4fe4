#include "judge/gpu_room.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace tritonrl::judge {
namespace {

TEST(GpuRoom, NoMoreIsHeldThanThereIs) {
  GpuRoom room(10, 2);
  std::atomic<int> bytes = 0, places = 0, most_bytes = 0, most_places = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 12; ++i) {
    threads.emplace_back([&, size = i % 3 == 0 ? 8 : 3] {
      const auto place = room.take(size);
      ASSERT_TRUE(place);
      const int now = bytes += size, count = ++places;
      if (now > most_bytes) most_bytes = now;
      if (count > most_places) most_places = count;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      bytes -= size;
      --places;
    });
  }
  threads.clear();
  EXPECT_LE(most_bytes, 10);
  EXPECT_LE(most_places, 2);
}

TEST(GpuRoom, WhatNeverFitsIsToldAtOnce) {
  GpuRoom room(10, 1);
  const auto whole = room.take(10);
  EXPECT_TRUE(whole);
  EXPECT_FALSE(room.take(11));
}

}  // namespace
}  // namespace tritonrl::judge
