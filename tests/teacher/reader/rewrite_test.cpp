#include <gtest/gtest.h>

#include "tests/teacher/reader/rewritten.h"

namespace tritonrl::teacher {
namespace {

TEST(Rewrite, StatementsOneBehindTheOtherAreOneKernel) {
  const Rewritten answer = rewritten(module_text("z = torch.sigmoid(x)\nz = z * y\nreturn F.relu(z) + 1.5"));
  ASSERT_EQ(answer.regions.size(), 1u);
  EXPECT_EQ(answer.regions[0].operators, std::vector<std::string>({"sigmoid", "mul", "relu", "add"}));
  EXPECT_TRUE(has(answer, "return fused1(x, y)"));
  EXPECT_TRUE(answer.plan.starts_with("# fused1 pointwise: z = sigmoid(x); z = mul(z, y); add(relu(z), 1.5)"))
      << answer.plan;
}

TEST(Rewrite, AChangeInPlaceOfATensorOfItsOwnIsAnAssignment) {
  const Rewritten answer = rewritten(module_text("z = x * 2.0\nz += y\nz *= 0.5\nreturn z"));
  ASSERT_EQ(answer.regions.size(), 1u) << answer.solution;
  EXPECT_EQ(answer.regions[0].operators, std::vector<std::string>({"mul", "add", "mul"}));
  const Rewritten behind =
      rewritten(module_text("z = self.conv(x)\nz += y\nreturn z", "self.conv = nn.Conv2d(6, 6, 1)"));
  EXPECT_TRUE(has(behind, "z = fused1(z, y)")) << behind.solution;
  const Rewritten method = rewritten(module_text("z = x * 2.0\nz.add_(y)\nz.relu_()\nreturn z"));
  ASSERT_EQ(method.regions.size(), 1u) << method.solution;
  EXPECT_EQ(method.regions[0].operators, std::vector<std::string>({"mul", "add", "relu"}));
}

TEST(Rewrite, AChangeInPlaceOfATensorThatOthersSeeStays) {
  EXPECT_TRUE(has(rewritten(module_text("x += y\nreturn torch.exp(x)")), "x += y"));
  EXPECT_TRUE(has(rewritten(module_text("x.add_(y)\nreturn torch.exp(x)")), "x.add_(y)"));
  EXPECT_TRUE(has(rewritten(module_text("z = x * 2.0\nw = z.relu_()\nreturn torch.exp(w) * z")), "w = z.relu_()"));
  EXPECT_TRUE(has(rewritten(module_text("z = x\nz += y\nreturn torch.exp(z)")), "z += y"));
  EXPECT_TRUE(has(rewritten(module_text("a = z = x * 2.0\nz += y\nreturn torch.exp(z) * a")), "z += y"));
  EXPECT_TRUE(has(rewritten(module_text("z = x.view(4, -1)\nz += 1.0\nreturn torch.exp(z)")), "z += 1.0"));
  EXPECT_TRUE(has(rewritten(module_text("a, z = x.chunk(2, 1)\nz += a\nreturn torch.exp(z)")), "z += a"));
}

TEST(Rewrite, OneOperatorIsOneLine) {
  const Rewritten answer = rewritten(module_text("return torch.exp(x) * y - 0.5"));
  EXPECT_TRUE(has(answer, "    v1 = tl.exp(x)\n    v2 = v1 * y\n    v3 = v2 - 0.5\n")) << answer.solution;
}

TEST(Rewrite, WhatIsUsedLaterIsStoredToo) {
  const Rewritten answer = rewritten(
      module_text("a = torch.tanh(x)\nb = a * y\nc = self.conv(a)\nreturn b + c", "self.conv = nn.Conv2d(6, 6, 1)"));
  EXPECT_TRUE(has(answer, "= fused1(x, y)")) << answer.solution;
  EXPECT_TRUE(has(answer, "tl.store(dst1_ptr + o, v1, mask=m)")) << answer.solution;
  EXPECT_TRUE(has(answer, "c = self.conv(a)"));
}

TEST(Rewrite, OperandsThatAreExpressionsComeBeforeTheCall) {
  const Rewritten answer = rewritten(module_text("return F.relu(self.conv(x)) * y", "self.conv = nn.Conv2d(6, 6, 1)"));
  EXPECT_TRUE(has(answer, "        t1 = self.conv(x)\n        return fused1(t1, y)\n")) << answer.solution;
}

TEST(Rewrite, WhatIsNotKnownIsCopied) {
  const Rewritten answer = rewritten(module_text("q = torch.linalg.svdvals(x)\nreturn torch.sigmoid(x), q"));
  EXPECT_TRUE(has(answer, "q = torch.linalg.svdvals(x)"));
  EXPECT_TRUE(has(answer, "return (fused1(x), q)")) << answer.solution;
}

TEST(Rewrite, BroadcastOperandsAreReadWhereTheyLie) {
  const Rewritten answer = rewritten(module_text("return x * self.w.view(6, 1, 1) + v[:, :, None, None]"));
  EXPECT_TRUE(has(answer, "o // t1_step % t1_size")) << answer.solution;
  EXPECT_TRUE(has(answer, "o // t2_step, mask=m")) << answer.solution;
  EXPECT_TRUE(has(answer, "dst.stride(1)")) << answer.solution;
}

TEST(Rewrite, LoopsAndConditionsKeepTheirForm) {
  const Rewritten answer = rewritten(module_text("for i in range(3):\n    x = torch.tanh(x) + y\nreturn x"));
  EXPECT_TRUE(has(answer, "        for i in range(3):\n            x = fused1(x, y)\n        return x\n"))
      << answer.solution;
}

TEST(Rewrite, AValueThatALoopReadsAgainIsKept) {
  const Rewritten answer =
      rewritten(module_text("h = x * 0.5\nfor i in range(3):\n    g = torch.sigmoid(h)\n    h = g * x\nreturn h + g"));
  // g is read behind the loop, so the kernel inside gives both.
  EXPECT_TRUE(has(answer, "g, h) = fused") || has(answer, "g, h = fused")) << answer.solution;
}

TEST(Rewrite, NumbersArePassedOrWritten) {
  const Rewritten answer = rewritten(module_text("return x * self.scale + 2", "self.scale = 0.3"));
  EXPECT_TRUE(has(answer, "def fused1(x, scale):")) << answer.solution;
  EXPECT_TRUE(has(answer, "v2 = v1 + 2")) << answer.solution;
  EXPECT_TRUE(has(answer, "return fused1(x, self.scale)"));
}

TEST(Rewrite, TheSameFormulaIsOneKernel) {
  const Rewritten answer =
      rewritten(module_text("a = torch.sigmoid(x)\nb = torch.linalg.qr(a)\nc = torch.sigmoid(y)\nreturn c"));
  EXPECT_EQ(answer.regions.size(), 1u) << answer.solution;
}

TEST(Rewrite, LeavesOutWhatOnlyInputsNeed) {
  std::string text = module_text("return torch.exp(x)");
  text.insert(text.find("\ndef get_inputs"), "\nbatch = 4\nscale = 2\n");
  EXPECT_FALSE(has(rewritten(text), "batch = 4"));
  std::string used = module_text("return torch.exp(x) * scale");
  used.insert(used.find("\ndef get_inputs"), "\nscale = 2\n");
  EXPECT_TRUE(has(rewritten(used), "scale = 2"));
}

TEST(Rewrite, NothingToReplaceIsNoAnswer) {
  EXPECT_TRUE(rewritten(module_text("return x.transpose(1, 2)")).solution.empty());
}

}  // namespace
}  // namespace tritonrl::teacher
