#include "data/prepare/ordered_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>

namespace tritonrl::data {
namespace {

using Pool = OrderedPool<int, int>;

TEST(OrderedPool, GivesResultsInOrder) {
  const auto make = [] {
    return [](int n) {
      std::this_thread::sleep_for(std::chrono::microseconds(n % 7 * 200));
      return n * n;
    };
  };
  Pool pool(4, 6, make);
  std::jthread feeding([&] {
    for (int i = 0; i < 300; ++i) ASSERT_TRUE(pool.submit(i));
    pool.close();
  });
  for (int i = 0; i < 300; ++i) EXPECT_EQ(pool.next(), i * i);
  EXPECT_EQ(pool.next(), std::nullopt);
}

TEST(OrderedPool, BoundsWhatIsOnTheWay) {
  std::atomic<int> submitted = 0;
  Pool pool(2, 3, [] { return [](int n) { return n; }; });
  std::jthread feeding([&] {
    for (int i = 0; i < 10 && pool.submit(i); ++i) ++submitted;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(submitted, 3);
  pool.cancel();
}

TEST(OrderedPool, PassesFailuresOn) {
  Pool pool(2, 3, [] {
    return [](int n) -> int {
      if (n == 1) throw std::runtime_error("no");
      return n;
    };
  });
  pool.submit(0);
  pool.submit(1);
  pool.close();
  EXPECT_THROW(
      {
        while (pool.next()) {
        }
      },
      std::runtime_error);
}

TEST(OrderedPool, FailsWhereItsWorkersCannotStart) {
  Pool pool(2, 3, []() -> Pool::Work { throw std::runtime_error("no worker"); });
  EXPECT_THROW(pool.next(), std::runtime_error);
}

}  // namespace
}  // namespace tritonrl::data
