#include "optimize/knobs.h"

#include <gtest/gtest.h>

namespace tritonrl::optimize {
namespace {

const std::string kKernel =
    "import triton\nimport triton.language as tl\n\n@triton.jit\n"
    "def kernel1(x, n, BLOCK: tl.constexpr, K: tl.constexpr=4):\n    pass\n\n";

std::string host(const std::string& name, const std::string& body) {
  return "def " + name + "(x):\n" + body + "    return x\n";
}

std::vector<std::string> shown(const std::string& text) {
  std::vector<std::string> out;
  for (const Knob& knob : find_knobs(text)) out.push_back(knob.name + " " + std::to_string(knob.value));
  return out;
}

// What comes out where the knob of that name has another value.
std::string changed(const std::string& text, const std::string& name, std::int64_t value) {
  for (const Knob& knob : find_knobs(text)) {
    if (knob.name == name) return with_value(text, knob, value);
  }
  return "there is no such knob";
}

TEST(Knobs, TheGridFollowsTheBlock) {
  const std::string text = kKernel + host("fused1", "    kernel1[triton.cdiv(n, 1024),](x, n, BLOCK=1024)\n");
  EXPECT_EQ(shown(text), (std::vector<std::string>{"BLOCK 1024", "num_warps 4", "num_stages 3"}));
  EXPECT_EQ(changed(text, "BLOCK", 512),
            kKernel + host("fused1", "    kernel1[triton.cdiv(n, 512),](x, n, BLOCK=512)\n"));
  EXPECT_EQ(changed(text, "num_warps", 8),
            kKernel + host("fused1", "    kernel1[triton.cdiv(n, 1024),](x, n, BLOCK=1024, num_warps=8)\n"));
}

TEST(Knobs, SizesMayStandInExpressionsTuplesAndPlaces) {
  EXPECT_EQ(
      shown(kKernel + host("f", "    kernel1[n,](x, n, BLOCK=min(1024, triton.next_power_of_2(n)), num_warps=8)\n")),
      (std::vector<std::string>{"BLOCK 1024", "num_warps 8", "num_stages 3"}));
  EXPECT_EQ(shown(kKernel + host("f", "    kernel1[n,](x, n, 256)\n")),
            (std::vector<std::string>{"BLOCK 256", "num_warps 4", "num_stages 3"}));
  EXPECT_EQ(shown(kKernel + host("f", "    BM, N = (64, 7)\n    BK = 32\n    kernel1[n,](x, n, BM)\n")),
            (std::vector<std::string>{"BM 64", "BK 32", "num_warps 4", "num_stages 3"}));
}

TEST(Knobs, OtherNumbersAreNone) {
  const std::string sizes = "    y = x.view(64, 32)\n    kernel1[n,](x, 128, BLOCK=n, num_warps=warps, num_stages=2)\n";
  EXPECT_EQ(shown(kKernel + host("f", sizes)), (std::vector<std::string>{"num_stages 2"}));
  EXPECT_EQ(shown(kKernel + host("f", "    kernel1[n,](x, n, BLOCK=100, **options)\n")), std::vector<std::string>());
  EXPECT_EQ(shown(kKernel + host("f", "    BLOCK = 1024\n")), std::vector<std::string>()) << "nothing is launched";
  EXPECT_EQ(shown("this is no Python"), std::vector<std::string>());
}

TEST(Knobs, EqualOnesOfSeveralFunctionsChangeTogetherFirst) {
  const std::string text = kKernel + host("a", "    kernel1[n,](x, n, BLOCK=64, num_warps=2, num_stages=1)\n") +
                           host("b", "    kernel1[n,](x, n, BLOCK=64, num_warps=4, num_stages=1)\n");
  EXPECT_EQ(shown(text),
            (std::vector<std::string>{"BLOCK 64", "a BLOCK 64", "b BLOCK 64", "a num_warps 2", "b num_warps 4",
                                      "num_stages 1", "a num_stages 1", "b num_stages 1"}));
  EXPECT_EQ(changed(text, "BLOCK", 32).find("64"), std::string::npos);
  const std::string one = changed(text, "b BLOCK", 32);
  EXPECT_LT(one.find("BLOCK=64"), one.find("BLOCK=32"));
}

TEST(Knobs, NeighboursKeepWithinReason) {
  EXPECT_EQ(neighbours({.name = "BLOCK", .value = 16}), (std::vector<std::int64_t>{32}));
  EXPECT_EQ(neighbours({.name = "BLOCK", .value = 65536}), (std::vector<std::int64_t>{32768}));
  EXPECT_EQ(neighbours({.name = "a num_warps", .value = 1}), (std::vector<std::int64_t>{2}));
  EXPECT_EQ(neighbours({.name = "num_warps", .value = 4}), (std::vector<std::int64_t>{8, 2}));
  EXPECT_EQ(neighbours({.name = "num_stages", .value = 3}), (std::vector<std::int64_t>{4, 2}));
}

}  // namespace
}  // namespace tritonrl::optimize
