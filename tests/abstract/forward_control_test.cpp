#include <gtest/gtest.h>

#include "tests/abstract/read_module.h"

// Conditions and loops: which operators are kept where the text leaves a choice.
namespace tritonrl::abstract {
namespace {

TEST(ForwardControl, PlainConditionsTakeTheirBranch) {
  EXPECT_EQ(computing(model("self.flag = flag\nself.skip = None",
                            "if self.flag and n_is_unknown(self):\n    x = x.relu()\nreturn x")),
            "relu");
  EXPECT_EQ(
      computing(model("self.flag = flag", "if not self.flag:\n    x = x.relu()\nelse:\n    x = x.tanh()\nreturn x")),
      "tanh");
  EXPECT_EQ(computing(model("self.skip = None", "if self.skip is not None:\n    x = self.skip(x)\nreturn x + 1")),
            "add");
  EXPECT_EQ(computing(model("if n > 2:\n    self.f = nn.ReLU()\nelse:\n    self.f = nn.Tanh()", "return self.f(x)")),
            "relu");
  EXPECT_EQ(computing(model("self.mode = 'max'", "if self.mode == 'mean':\n    return x.mean()\nreturn x.max()")),
            "max");
  EXPECT_EQ(computing(model("", "return x.relu() if y is None else x.tanh()")), "relu");
  EXPECT_EQ(computing(model("", "if isinstance(x, (list, tuple)):\n    return x[0] + x[1]\nreturn x.relu()")), "relu");
}

TEST(ForwardControl, OfAnOpenConditionTheLargerBranch) {
  EXPECT_EQ(computing(model("", "if x.shape[0] > 3:\n    x = x.relu()\nelse:\n    x = x.tanh() + 1\nreturn x")),
            "tanh add");
  EXPECT_EQ(computing(model("", "if x.shape[0] > 3:\n    x = x.relu()\nelse:\n    x = x.tanh()\nreturn x")), "relu")
      << "the first of equals";
  EXPECT_EQ(computing(model("", "return x.relu() + 1 if x.dim() == 3 else x.tanh()")), "relu add");
}

TEST(ForwardControl, WhatFollowsBelongsToTheBranchThatGoesOn) {
  EXPECT_EQ(computing(model("", "if x.dim() == 2:\n    return x.relu()\nx = x.tanh()\nreturn x.exp()")), "tanh exp");
  EXPECT_EQ(computing(model("", "if x.dim() == 2:\n    return x.relu().exp().log()\nreturn x.exp()")), "relu exp log");
}

TEST(ForwardControl, BranchesThatRaiseAreNotTaken) {
  EXPECT_EQ(computing(model("", "if x.dim() != 4:\n    z = (x + 1) * 2\n    raise ValueError(z)\nreturn x.relu()")),
            "relu");
  EXPECT_EQ(computing(model("", "try:\n    return x.relu()\nexcept RuntimeError:\n    return x.tanh()")), "relu");
}

TEST(ForwardControl, BothBranchesStartFromTheSameState) {
  EXPECT_EQ(
      computing(model("layers = []\nif unknown:\n    layers.append(nn.ReLU())\nelse:\n"
                      "    layers.append(nn.Tanh())\n    layers.append(nn.Tanh())\nself.s = nn.Sequential(*layers)",
                      "return self.s(x)")),
      "tanh tanh")
      << "the longer of the two lists, not both";
  EXPECT_EQ(computing(model("self.down = None\nif width != unknown:\n    self.down = nn.Conv2d(3, 8, 1)",
                            "if self.down is not None:\n    x = self.down(x)\nreturn x")),
            "conv2d")
      << "what may be there is there";
}

TEST(ForwardControl, LoopsOfUnknownLengthAreRepeated) {
  EXPECT_EQ(computing(model("self.fc = nn.Linear(8, 8)",
                            "for t in range(x.size(1)):\n    h = self.fc(x[:, t])\nreturn h.relu()")),
            "linear* relu");
  EXPECT_EQ(computing(model("self.l = nn.ModuleList([nn.Linear(8, 8) for _ in range(unknown)])",
                            "for layer in self.l:\n    x = layer(x).relu()\nreturn x")),
            "linear* relu*");
  EXPECT_EQ(computing(model("self.s = nn.Sequential(*[nn.ReLU() for _ in range(unknown)])", "return self.s(x)")),
            "relu*");
  EXPECT_EQ(computing(model("", "while x.sum() > 0:\n    x = x - 1\nreturn x")), "sum gt sub*");
  EXPECT_EQ(computing(model("", "return torch.stack([t * 2 for t in x])")), "mul* stack");
}

TEST(ForwardControl, LoopsOfPlainLengthAreUnrolled) {
  EXPECT_EQ(computing(model("self.n = n", "for i in range(self.n):\n    x = x * 2\nreturn x")), "mul mul mul");
  EXPECT_EQ(
      computing(model("self.n = n", "for i in range(10):\n    if i == 2:\n        break\n    x = x * 2\nreturn x")),
      "mul mul");
  EXPECT_EQ(
      computing(model("self.n = n", "for i in range(4):\n    if i % 2:\n        continue\n    x = x * 2\nreturn x")),
      "mul mul");
  EXPECT_EQ(computing("import torch\nDEPTH = 2\nclass Model(torch.nn.Module):\n    def forward(self, x):\n"
                      "        for _ in range(DEPTH):\n            x = x.relu()\n        return x\n"),
            "relu relu");
}

}  // namespace
}  // namespace tritonrl::abstract
