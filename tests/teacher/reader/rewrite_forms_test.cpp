#include <gtest/gtest.h>

#include "tests/teacher/reader/rewritten.h"

namespace tritonrl::teacher {
namespace {

TEST(RewriteForms, ARowIsReducedBlockByBlock) {
  const Rewritten answer = rewritten(module_text("return torch.softmax(v, dim=-1)"));
  ASSERT_EQ(answer.regions.size(), 1u);
  EXPECT_EQ(answer.regions[0].kind, "rows");
  EXPECT_TRUE(has(answer, "n = x.shape[-1]")) << answer.solution;
  EXPECT_TRUE(has(answer, "for k in range(0, n, BLOCK):"));
  EXPECT_TRUE(has(answer, "acc1 = tl.maximum(acc1, tl.where(m, x, float('-inf')))"));
}

TEST(RewriteForms, OperatorsAroundAReductionJoinIt) {
  const Rewritten answer = rewritten(module_text("return torch.sigmoid((x * y).mean(1, keepdim=True)) * x"));
  ASSERT_EQ(answer.regions.size(), 1u);
  EXPECT_EQ(answer.regions[0].operators, std::vector<std::string>({"mul", "mean", "sigmoid", "mul"}));
}

TEST(RewriteForms, SeveralDimensionsAreOneRow) {
  const Rewritten answer = rewritten(module_text("return x.mean(dim=(2, 3))"));
  EXPECT_TRUE(has(answer, "rows = x.flatten(2, 3)")) << answer.solution;
  EXPECT_TRUE(has(answer, "x.new_empty(rows.select(2, 0).shape)")) << answer.solution;
}

TEST(RewriteForms, EverythingIsReducedInParts) {
  const Rewritten answer = rewritten(module_text("return F.mse_loss(x, y)"));
  ASSERT_EQ(answer.regions.size(), 1u);
  EXPECT_EQ(answer.regions[0].kind, "full");
  EXPECT_TRUE(has(answer, "grid = (blocks,)\n    kernel1_1[grid]")) << answer.solution;
  EXPECT_TRUE(has(answer, "grid = (1,)\n    kernel1_2[grid]")) << answer.solution;
}

TEST(RewriteForms, ChannelsOverABatchAreSplit) {
  const Rewritten answer = rewritten(module_text("return F.relu(self.bn(x))", "self.bn = nn.BatchNorm2d(6)"));
  ASSERT_EQ(answer.regions.size(), 1u);
  EXPECT_EQ(answer.regions[0].kind, "split rows");
  EXPECT_TRUE(has(answer, "weight_ptr + p")) << answer.solution;
}

TEST(RewriteForms, ALossOfClassesIsTwoRegions) {
  const Rewritten answer = rewritten(module_text("return F.cross_entropy(v, v.argmax(1))"));
  EXPECT_TRUE(has(answer, "place") == false);
  EXPECT_TRUE(has(answer, "tl.where(i == ")) << answer.solution;
  EXPECT_TRUE(answer.regions.back().kind == "full") << answer.solution;
}

TEST(RewriteForms, FastFormsForShortRowsAndForColumns) {
  const RewriteOptions fast{.variant = Variant::kFast};
  EXPECT_TRUE(has(rewritten(module_text("return torch.softmax(v, dim=-1)"), fast), "ROWS=rows_at_once"));
  EXPECT_TRUE(has(rewritten(module_text("return torch.softmax(x, dim=1)"), fast), "[None, :]"));
}

TEST(RewriteForms, JoinedPartsNeedNoPlaceInTheRow) {
  const RewriteOptions fast{.variant = Variant::kFast};
  const Rewritten answer = rewritten(module_text("z = torch.zeros(4, 90000)\nreturn (z + 1.0).mean(1)"), fast);
  ASSERT_EQ(answer.regions.size(), 1u) << answer.solution;
  EXPECT_EQ(answer.regions[0].variant, "split");
  const std::size_t last = answer.solution.find("def kernel1_2");
  ASSERT_NE(last, std::string::npos);
  EXPECT_EQ(answer.solution.substr(last, answer.solution.find("def fused1") - last).find("inner"), std::string::npos)
      << answer.solution;
}

TEST(RewriteForms, WhatTheTableDoesNotKnowIsNoAnswerUnderStrict) {
  const std::string text =
      module_text("y = F.relu(self.conv(x))\nreturn F.interpolate(y, scale_factor=2, mode='nearest')",
                  "self.conv = nn.Conv2d(6, 6, 1)");
  EXPECT_EQ(rewritten(text, {.policy = KernelPolicy::kStrict}).policy, KernelPolicy::kKernelBench);
}

TEST(RewriteForms, ProductsAreWrittenUnderPolicyStrictOnly) {
  const std::string text = module_text("return F.relu(self.fc(v))", "self.fc = nn.Linear(6, 7)");
  const Rewritten kept = rewritten(text);
  EXPECT_TRUE(has(kept, "t1 = self.fc(v)")) << kept.solution;
  const Rewritten strict = rewritten(text, {.policy = KernelPolicy::kStrict});
  EXPECT_TRUE(has(strict, "tl.dot(")) << strict.solution;
  EXPECT_TRUE(has(strict, "input_precision=")) << strict.solution;
  EXPECT_EQ(strict.regions.size(), 1u);
}

TEST(RewriteForms, HelpersAreThereWhereTheyAreNeeded) {
  const Rewritten answer = rewritten(module_text("return x.prod(1)"));
  EXPECT_TRUE(has(answer, "def multiply(a, b):")) << answer.solution;
  EXPECT_FALSE(has(rewritten(module_text("return x.sum(1)")), "multiply"));
  EXPECT_TRUE(has(rewritten(module_text("return torch.atan(x)")), "from triton.language.extra import libdevice"));
}

const RewriteOptions kBeyondPlans = {.variant = Variant::kFast, .beyond_plans = true};

TEST(RewriteForms, TheRegionBehindALayersConvolutionAddsItsBias) {
  const Rewritten answer = rewritten(
      module_text("z = self.conv(x)\nz = torch.relu(z)\nreturn z * y", "self.conv = nn.Conv2d(6, 6, 3, padding=1)"),
      kBeyondPlans);
  EXPECT_TRUE(has(answer,
                  "t1 = torch.conv2d(x, self.conv.weight, None, self.conv.stride, self.conv.padding, "
                  "self.conv.dilation, self.conv.groups)\n        return fused1(t1, self.conv.bias, y)"))
      << answer.solution;
  EXPECT_TRUE(has(answer, "bias_step: tl.constexpr, bias_size: tl.constexpr")) << answer.solution;
  EXPECT_TRUE(has(answer, "    v1 = t1 + bias\n")) << answer.solution;
  EXPECT_EQ(answer.left_in_torch, 1);
  const Rewritten transposed =
      rewritten(module_text("return torch.relu(self.conv(x))", "self.conv = nn.ConvTranspose2d(6, 6, 3, padding=1)"),
                kBeyondPlans);
  EXPECT_TRUE(has(transposed,
                  "torch.conv_transpose2d(x, self.conv.weight, None, self.conv.stride, self.conv.padding, "
                  "self.conv.output_padding, self.conv.groups, self.conv.dilation)"))
      << transposed.solution;
}

TEST(RewriteForms, AConvolutionKeepsItsBiasWhereNothingIsGained) {
  const auto kept = [](const std::string& forward, const std::string& layer, const RewriteOptions& options) {
    const Rewritten answer = rewritten(module_text(forward, "self.conv = " + layer), options);
    EXPECT_TRUE(has(answer, "self.conv(")) << answer.solution;
  };
  const std::string layer = "nn.Conv2d(6, 6, 3, padding=1)", after = "return torch.relu(self.conv(x))";
  kept(after, layer, {.variant = Variant::kFast});
  kept(after, "nn.Conv2d(6, 6, 3, padding=1, bias=False)", kBeyondPlans);
  kept("z = self.conv(x)\nreturn torch.relu(y), torch.linalg.svdvals(z)", layer, kBeyondPlans);
}

TEST(RewriteForms, GroupsAreGoneOverByTheirLength) {
  const auto variant = [](const char* layer) {
    const Rewritten answer =
        rewritten(module_text("return torch.relu(self.norm(x))", layer), {.variant = Variant::kFast});
    return answer.regions.empty() ? "" : answer.regions[0].variant;
  };
  EXPECT_EQ(variant("self.norm = nn.GroupNorm(3, 6)"), "several rows");
  EXPECT_EQ(rewritten(module_text("return self.norm(x)", "self.norm = nn.GroupNorm(3, 6)")).regions[0].kind,
            "split rows");
}

}  // namespace
}  // namespace tritonrl::teacher
