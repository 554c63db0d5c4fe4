#include "program/target.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace tritonrl::program {
namespace {

TEST(Target, ByNameAndArchitecture) {
  EXPECT_EQ(find_target("h200").triton_arch, "sm_90");
  EXPECT_EQ(find_target("sm_90").name, "h200");
  EXPECT_EQ(find_target("sm_80").name, "a100");
  EXPECT_EQ(find_target("sm_89").name, "l40s");
  EXPECT_EQ(find_target("rtx4090").sm_count, 128);
  EXPECT_EQ(target_names(), (std::vector<std::string>{"h200", "h100", "a100", "l40s", "rtx4090"}));
}

TEST(Target, FiguresAreComplete) {
  for (const std::string& name : target_names()) {
    const Target& target = find_target(name);
    for (const double figure : {target.memory_bandwidth, target.host_bandwidth, target.copy_efficiency,
                                target.matrix_efficiency, target.launch_overhead, target.start_overhead, target.fp64,
                                target.fp32, target.tf32, target.bf16, target.fp16, target.int8}) {
      EXPECT_GT(figure, 0) << name;
    }
    EXPECT_LE(target.copy_efficiency, 1) << name;
    EXPECT_GE(target.tf32, target.fp32) << name;
    EXPECT_GE(target.bf16, target.tf32) << name;
    EXPECT_GT(target.shared_memory_per_block, 0) << name;
    EXPECT_GT(target.l2_bytes, 0) << name;
  }
  EXPECT_NEAR(find_target("h200").memory_bandwidth * find_target("h200").copy_efficiency, 4.3e12, 1);
  EXPECT_EQ(find_target("h200").shared_memory_per_block, 232448);
  EXPECT_EQ(find_target("a100").shared_memory_per_block, 166912);
}

TEST(Target, UnknownNamesListTheKnown) {
  try {
    find_target("h2000");
    FAIL();
  } catch (const base::UserError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("'h2000'"), std::string::npos) << message;
    EXPECT_NE(message.find("h200, h100, a100, l40s, rtx4090"), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace tritonrl::program
