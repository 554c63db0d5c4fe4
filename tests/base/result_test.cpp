#include "base/result.h"

#include <gtest/gtest.h>

#include <memory>

namespace tritonrl::base {
namespace {

Result<int> half(int n) {
  if (n % 2 != 0) return Failure{std::to_string(n) + " is odd"};
  return n / 2;
}

TEST(Result, HoldsAValueOrTheReason) {
  ASSERT_TRUE(half(4).ok());
  EXPECT_EQ(half(4).value(), 2);
  ASSERT_FALSE(half(3).ok());
  EXPECT_EQ(half(3).error(), "3 is odd");
}

TEST(Result, AValueThatIsTextIsNoReason) {
  EXPECT_TRUE(Result<std::string>(std::string("text")).ok());
  EXPECT_FALSE(Result<std::string>(Failure{"text"}).ok());
}

TEST(Result, MovesItsValueOut) {
  Result<std::unique_ptr<int>> result(std::make_unique<int>(5));
  const std::unique_ptr<int> taken = std::move(result).value();
  EXPECT_EQ(*taken, 5);
}

TEST(ResultDeathTest, AskingForWhatIsNotThereIsABug) {
  EXPECT_DEATH(half(3).value(), "bug at .*result.h:[0-9]+: ok\\(\\) is false: value\\(\\) of a failure");
  EXPECT_DEATH(half(4).error(), "error\\(\\) of a value");
}

}  // namespace
}  // namespace tritonrl::base
