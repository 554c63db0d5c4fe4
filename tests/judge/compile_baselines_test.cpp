#include "judge/compile_baselines.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace tritonrl::judge {
namespace {

TEST(CompileBaselines, ATaskIsMeasuredOnce) {
  CompileBaselines baselines;
  std::atomic<int> measured = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      const python::CompiledTimes times = baselines.find(i % 2 == 0 ? "a" : "b", [&] {
        ++measured;
        return python::CompiledTimes{.us = {1.0 + i % 2}, .failure = ""};
      });
      EXPECT_EQ(times.us, std::vector<double>{1.0 + i % 2});
    });
  }
  threads.clear();
  EXPECT_EQ(measured, 2);
}

TEST(CompileBaselines, AFailureOfTheMachineIsNotKept) {
  CompileBaselines baselines;
  EXPECT_THROW(baselines.find("a", []() -> python::CompiledTimes { throw std::runtime_error("no disk"); }),
               std::runtime_error);
  const auto none = [] { return python::CompiledTimes{.us = {}, .failure = "no such operator"}; };
  EXPECT_EQ(baselines.find("a", none).failure, "no such operator");
  EXPECT_EQ(baselines.find("a", [] { return python::CompiledTimes{.us = {1}, .failure = ""}; }).failure,
            "no such operator");
}

}  // namespace
}  // namespace tritonrl::judge
