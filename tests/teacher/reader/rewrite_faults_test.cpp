// Faults that were found in public code: names, channels, running statistics, changes that others see.
#include <gtest/gtest.h>

#include "tests/teacher/reader/rewritten.h"

namespace tritonrl::teacher {
namespace {

TEST(RewriteFaults, NamesOfTritonsLauncherAreNoParametersOfKernels) {
  for (const std::string name : {"params", "specialization", "options", "backend", "debug", "grid", "num_warps",
                                 "num_ctas", "maxnreg", "warmup", "stream", "device", "M", "len"}) {
    const Rewritten answer = rewritten(module_text("return x * self." + name + " + 2", "self." + name + " = 0.3"));
    EXPECT_TRUE(has(answer, "def fused1(x, " + name + "_in):")) << answer.solution;
    EXPECT_TRUE(has(answer, "fused1(x, self." + name + ")")) << answer.solution;
  }
}

TEST(RewriteFaults, WeightsOfAFunctionalBatchNormLieAlongTheChannels) {
  // Six channels and six columns: read along the last dimension the shapes would fit, too.
  std::string text =
      module_text("return F.batch_norm(x, None, None, self.scales[0], self.shifts[0], True)",
                  "self.scales = nn.Parameter(torch.randn(2, 6))\nself.shifts = nn.Parameter(torch.randn(2, 6))");
  for (std::size_t at = 0; (at = text.find("5, 5", at)) != std::string::npos;) text.replace(at, 4, "6, 6");
  const Rewritten answer = rewritten(text);
  const Rewritten module = rewritten(module_text("return self.bn(x)", "self.bn = nn.BatchNorm2d(6)"));
  ASSERT_FALSE(answer.solution.empty());
  // As the module's own: one value a program, outside the loop over its row.
  ASSERT_TRUE(has(module, "tl.load(weight_ptr + ")) << module.solution;
  const std::size_t at = module.solution.find("tl.load(weight_ptr + ");
  const std::string load = module.solution.substr(at + 21, module.solution.find(')', at) - at - 21);
  EXPECT_TRUE(has(answer, "tl.load(t1_ptr + " + load)) << load << "\n" << answer.solution;
}

TEST(RewriteFaults, StatisticsThatAreReadAreUpdatedByTorch) {
  const std::string bn = "self.bn = nn.BatchNorm2d(6)";
  const Rewritten read = rewritten(module_text("y = self.bn(x)\nreturn torch.relu(y), self.bn.running_mean * 2.0", bn));
  EXPECT_TRUE(has(read, "y = self.bn(x)")) << read.solution;
  const Rewritten unread = rewritten(module_text("y = self.bn(x)\nreturn torch.relu(y)", bn));
  EXPECT_FALSE(has(unread, "self.bn(x)")) << unread.solution;
  const std::string buffers =
      "self.register_buffer('mean', torch.zeros(6))\nself.register_buffer('var', torch.ones(6))";
  const std::string call = "F.batch_norm(x, self.mean, self.var, training=True)";
  EXPECT_TRUE(has(rewritten(module_text("z = " + call + "\nreturn torch.relu(z) + self.mean.mean()", buffers)), call));
  EXPECT_FALSE(has(rewritten(module_text("z = " + call + "\nreturn torch.relu(z)", buffers)), call));
}

TEST(RewriteFaults, AContainerThatBeginsWithAChangeInPlaceKeepsIt) {
  const Rewritten first =
      rewritten(module_text("return x + self.net(x)", "self.net = nn.Sequential(nn.ReLU(True), nn.Conv2d(6, 6, 1))"));
  EXPECT_TRUE(has(first, "nn.Sequential(nn.ReLU(True), nn.Conv2d(6, 6, 1))")) << first.solution;
  const Rewritten behind = rewritten(
      module_text("return x + self.net(x)", "self.net = nn.Sequential(nn.Conv2d(6, 6, (1, 1)), nn.ReLU(True))"));
  EXPECT_TRUE(has(behind, "nn.Sequential(nn.Conv2d(6, 6, (1, 1)), ReLU1(True))")) << behind.solution;
  const Rewritten dropped = rewritten(
      module_text("return x + self.net(x)", "self.net = nn.Sequential(nn.Dropout(0.0), nn.ReLU(True), nn.ReLU())"));
  EXPECT_TRUE(has(dropped, "nn.Sequential(nn.Dropout(0.0), nn.ReLU(True), ReLU1())")) << dropped.solution;
}

TEST(RewriteFaults, AModuleThatChangesWhatIsReadAgainStays) {
  const std::string act = "self.act = nn.ReLU(inplace=True)\nself.conv = nn.Conv2d(6, 6, 1)";
  const auto stays = [&](const std::string& forward, const std::string& call) {
    const Rewritten answer = rewritten(module_text(forward, act));
    EXPECT_TRUE(answer.solution.empty() || has(answer, call)) << answer.solution;
  };
  stays("z = self.act(x)\nz = z * y\nreturn z + x", "self.act(x)");
  stays("return torch.exp(x) + self.act(x)", "self.act(x)");
  stays("a, b = x.chunk(2, 1)\na = self.act(a)\nreturn torch.exp(x) * 2.0", "self.act(a)");
  stays("z = x.view(4, -1)\nz = F.relu(z, inplace=True)\nreturn torch.exp(x) * 2.0", "F.relu(z, inplace=True)");
  const auto goes = [&](const std::string& forward) {
    const Rewritten answer = rewritten(module_text(forward, act));
    EXPECT_FALSE(answer.solution.empty() || has(answer, "self.act(") || has(answer, "F.relu(")) << answer.solution;
  };
  goes("z = self.conv(x)\nz = self.act(z)\nreturn z + x");
  goes("return self.act(self.conv(x)) + x");
  goes("z = self.act(x)\nreturn z * y");
  goes("z = torch.cat([x, y], 1)\nz = F.relu(z, inplace=True)\nreturn z * torch.cat([x, y], 1)");
  goes("for i in range(2):\n    x = self.act(self.conv(x))\nreturn x * 2.0");
}

TEST(RewriteFaults, ImportsThatAreTriedStay) {
  std::string text = module_text("return torch.exp(x) * 2.0", "self.norm = Norm(5) if self.w is None else None");
  text.insert(text.find("class Model"),
              "try:\n    from apex.normalization import FusedLayerNorm as Norm\nexcept ImportError:\n"
              "    from torch.nn import LayerNorm as Norm\n\n");
  EXPECT_TRUE(has(rewritten(text), "from apex.normalization import FusedLayerNorm as Norm"));
}

TEST(RewriteFaults, ACastToTheSameTypeIsNoKernel) {
  EXPECT_TRUE(rewritten(module_text("return x.float()")).solution.empty());
  EXPECT_FALSE(rewritten(module_text("return x.half()")).solution.empty());
  EXPECT_FALSE(rewritten(module_text("return x.float() * 2.0")).solution.empty());
}

TEST(RewriteFaults, AWholeNumberThatATensorMakesRealIsNotPassedAsItIs) {
  const Rewritten whole =
      rewritten(module_text("return x * torch.sqrt(torch.as_tensor(x.shape[1], dtype=torch.float32))"));
  EXPECT_TRUE(has(whole, "torch.as_tensor(x.shape[1], dtype=torch.float32)")) << whole.solution;
  EXPECT_TRUE(has(rewritten(module_text("return torch.exp(x) * torch.tensor(1.5)")), "1.5"));
}

TEST(RewriteFaults, AnArgumentsTensorIsTheCallersToo) {
  std::string text = module_text("return x + self.block(x)", "self.block = Block()");
  text.insert(text.find("class Model"),
              "class Block(nn.Module):\n\n    def __init__(self):\n        super().__init__()\n"
              "        self.act = nn.ReLU(True)\n\n    def forward(self, x):\n        return self.act(x) * 2.0\n\n");
  const Rewritten answer = rewritten(text);
  EXPECT_TRUE(answer.solution.empty() || has(answer, "self.act(x)")) << answer.solution;
}

}  // namespace
}  // namespace tritonrl::teacher
