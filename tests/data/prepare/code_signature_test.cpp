#include "data/prepare/code_signature.h"

#include <gtest/gtest.h>

#include <string>

namespace tritonrl::data {
namespace {

const std::string kModule = R"(import torch
import torch.nn as nn

class Head(nn.Module):
    """A head."""
    def __init__(self, size=32, hidden=64):
        super().__init__()
        self.first = nn.Linear(size, hidden)
        self.second = nn.Linear(hidden, size)

    def forward(self, x):
        hidden = torch.relu(self.first(x))  # comment
        return torch.sigmoid(self.second(hidden)) * x

def get_inputs():
    return [torch.rand(4, 32)]
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

TEST(CodeSignature, LayoutAndCommentsDoNotCount) {
  const std::string other = replaced(replaced(kModule, "  # comment", ""), "(size, hidden)", "( size,  hidden )");
  EXPECT_NE(other, kModule);
  EXPECT_EQ(code_signature(other).exact, code_signature(kModule).exact);
  EXPECT_NE(code_signature(replaced(kModule, "64", "65")).exact, code_signature(kModule).exact);
}

TEST(CodeSignature, OwnNamesAreNearlyTheSame) {
  std::string other = replaced(kModule, "Head", "Block");
  other = replaced(replaced(other, "hidden", "inner"), "self.first", "self.fc1");
  other = replaced(replaced(other, "self.second", "self.fc2"), "A head.", "Another one.");
  EXPECT_EQ(similarity(code_signature(kModule), code_signature(other)), 1);
  EXPECT_NE(code_signature(other).exact, code_signature(kModule).exact);
  EXPECT_EQ(code_signature(other).band_keys(), code_signature(kModule).band_keys());
}

// A size more or less is, but not other sizes everywhere.
TEST(CodeSignature, ConstantsCountAsAnyToken) {
  EXPECT_GT(similarity(code_signature(kModule), code_signature(replaced(kModule, "64", "65"))), 0.8);
  const std::string sizes = replaced(kModule, "(size, hidden)", "(3, 4, 5, 6, 7, 8, 9)");
  EXPECT_LT(similarity(code_signature(sizes),
                       code_signature(replaced(sizes, "(3, 4, 5, 6, 7, 8, 9)", "(13, 14, 15, 16, 17, 18, 19)"))),
            0.9);
}

// One word decides what has to be computed, and so does the order.
TEST(CodeSignature, AnotherOperatorIsAnotherModule) {
  EXPECT_EQ(similarity(code_signature(kModule), code_signature(replaced(kModule, "torch.relu", "torch.tanh"))), 0);
  EXPECT_EQ(similarity(code_signature(kModule), code_signature(replaced(kModule, ") * x", ") + x"))), 0);
  EXPECT_EQ(similarity(code_signature(kModule), code_signature(replaced(kModule, "nn.Linear", "nn.Bilinear"))), 0);
  std::string swapped = replaced(kModule, "torch.relu", "torch.other");
  swapped = replaced(replaced(swapped, "torch.sigmoid", "torch.relu"), "torch.other", "torch.sigmoid");
  EXPECT_EQ(similarity(code_signature(kModule), code_signature(swapped)), 0);
}

TEST(CodeSignature, ALittleMoreIsStillSimilar) {
  const std::string longer = replaced(kModule, "        return torch", "        hidden = hidden\n        return torch");
  const double close = similarity(code_signature(kModule), code_signature(longer));
  EXPECT_GT(close, 0.8);
  EXPECT_LT(close, 1);
}

TEST(CodeSignature, ShortTextsAreComparedExactlyOnly) {
  EXPECT_FALSE(code_signature("x = 1\n").comparable);
  EXPECT_TRUE(code_signature(kModule).comparable);
  EXPECT_FALSE(code_signature("").comparable);
}

}  // namespace
}  // namespace tritonrl::data
