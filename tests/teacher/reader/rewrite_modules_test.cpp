#include <gtest/gtest.h>

#include "tests/teacher/reader/rewritten.h"

namespace tritonrl::teacher {
namespace {

TEST(RewriteModules, ContainersGetClassesOfTheirOwn) {
  const Rewritten answer = rewritten(module_text(
      "return self.net(v)", "self.net = nn.Sequential(nn.Linear(6, 8), nn.LeakyReLU(0.2), nn.Linear(8, 3))"));
  EXPECT_TRUE(has(
      answer,
      "class LeakyReLU1(nn.LeakyReLU):\n\n    def forward(self, x):\n        return fused1(x, self.negative_slope)\n"))
      << answer.solution;
  EXPECT_TRUE(has(answer, "nn.Sequential(nn.Linear(6, 8), LeakyReLU1(0.2), nn.Linear(8, 3))")) << answer.solution;
}

TEST(RewriteModules, AModuleThatForwardCallsIsReadThere) {
  const Rewritten answer = rewritten(module_text("return self.act(x) + y", "self.act = nn.ELU(alpha=0.7)"));
  EXPECT_TRUE(has(answer, "self.act = nn.ELU(alpha=0.7)"));
  EXPECT_TRUE(has(answer, "fused1(x, self.act.alpha, y)")) << answer.solution;
}

TEST(RewriteModules, TheEntryPointGetsItsNewNameEverywhere) {
  std::string text = module_text("return torch.exp(x)");
  text.replace(text.find("super().__init__()"), 18, "super(Model, self).__init__()");
  const Rewritten answer = rewritten(text);
  EXPECT_TRUE(has(answer, "class ModelNew(nn.Module):"));
  EXPECT_TRUE(has(answer, "super(ModelNew, self).__init__()")) << answer.solution;
}

// A weight for each channel lies along dimension 1, in a container too; it was read along the last one.
TEST(RewriteModules, APReluOfManyChannelsInAContainerReadsThemAlongDimensionOne) {
  const Rewritten answer =
      rewritten(module_text("return self.net(x)", "self.net = nn.Sequential(nn.Conv2d(6, 6, 1), nn.PReLU(6))"));
  EXPECT_TRUE(has(answer, "weight_ptr + o // weight_step % weight_size")) << answer.solution;
  EXPECT_FALSE(has(answer, "expand_as")) << answer.solution;
  const Rewritten one =
      rewritten(module_text("return self.net(x)", "self.net = nn.Sequential(nn.Conv2d(6, 6, 1), nn.PReLU())"));
  EXPECT_TRUE(has(one, "class PReLU1(nn.PReLU):")) << one.solution;
}

}  // namespace
}  // namespace tritonrl::teacher
