#include "base/loader_path.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace tritonrl::base {
namespace {

constexpr const char* kPath = "LD_LIBRARY_PATH";

// With the environment's own folders in it, or none (null).
class LoaderPath : public ::testing::TestWithParam<const char*> {
 protected:
  LoaderPath() {
    if (GetParam() == nullptr) {
      ::unsetenv(kPath);
    } else {
      ::setenv(kPath, GetParam(), 1);
    }
  }
  ~LoaderPath() override { ::unsetenv(kPath); }
  static std::string now() {
    const char* value = std::getenv(kPath);
    return value == nullptr ? "(none)" : value;
  }
};

TEST_P(LoaderPath, OursComeFirstAndTheOwnAreLeft) {
  const std::string own = GetParam() == nullptr ? "" : GetParam();
  EXPECT_EQ(loader_path("/torch/lib:/arrow"), own.empty() ? "/torch/lib:/arrow" : "/torch/lib:/arrow:" + own);
  EXPECT_EQ(loader_path(""), own);
  EXPECT_EQ(loader_environment().size(), own.empty() ? 0U : 1U);
  EXPECT_EQ(loader_environment("/torch/lib").front(), "LD_LIBRARY_PATH=" + loader_path("/torch/lib"));
}

TEST_P(LoaderPath, IsForTheNextProgramAlone) {
  const std::string before = now();
  leave_loader_path();
  EXPECT_EQ(now(), before);
  set_loader_path("");
  EXPECT_EQ(now(), before);
  set_loader_path("/torch/lib");
  EXPECT_EQ(now().substr(0, 10), "/torch/lib");
  leave_loader_path();
  EXPECT_EQ(now(), before.empty() ? "(none)" : before);  // an empty one is as good as none
  leave_loader_path();
  EXPECT_EQ(now(), before.empty() ? "(none)" : before);
}

INSTANTIATE_TEST_SUITE_P(Own, LoaderPath, ::testing::Values(nullptr, "", "/own", "/own:/more"));

}  // namespace
}  // namespace tritonrl::base
