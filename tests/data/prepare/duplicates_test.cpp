#include "data/prepare/duplicates.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/base/scratch_folder.h"

namespace tritonrl::data {
namespace {

using Seen = Duplicates::Seen;

std::string module(const std::string& name, int size) {
  return "import torch\nimport torch.nn as nn\nclass " + name +
         "(nn.Module):\n    def __init__(self):\n        super()." + "__init__()\n        self.linear = nn.Linear(" +
         std::to_string(size) + ", 8)\n    def forward(self, x):\n" + "        return torch.relu(self.linear(x)) + 1\n";
}

TEST(Duplicates, NamesTheEarlierRow) {
  const base::ScratchFolder scratch;
  Duplicates seen(scratch.path("seen.sqlite"), 1, {});
  EXPECT_EQ(seen.look(1, module("A", 4)).seen, Seen::kNever);
  EXPECT_EQ(seen.look(2, "# again\n" + module("A", 4)).seen, Seen::kSame);
  const Duplicates::Answer near = seen.look(3, module("B", 16));
  EXPECT_EQ(near.seen, Seen::kNear);
  EXPECT_EQ(near.earlier, 1);
  EXPECT_EQ(seen.look(4, "x = 1").seen, Seen::kNever);
  EXPECT_EQ(seen.look(5, "x = 1").earlier, 4);
}

TEST(Duplicates, NearOnesAreAChoice) {
  const base::ScratchFolder scratch;
  Duplicates seen(scratch.path("seen.sqlite"), 1, {.near = false});
  EXPECT_EQ(seen.look(1, module("A", 4)).seen, Seen::kNever);
  EXPECT_EQ(seen.look(2, module("B", 16)).seen, Seen::kNever);
}

TEST(Duplicates, ForgetsRowsThatWillComeAgain) {
  const base::ScratchFolder scratch;
  {
    Duplicates seen(scratch.path("seen.sqlite"), 1, {});
    seen.look(1, "a = 1");
    seen.look(2, "b = 1");
    seen.look(3, module("A", 4));
    seen.commit();
    seen.look(4, "c = 1");  // not committed: the process is killed
  }
  Duplicates again(scratch.path("seen.sqlite"), 2, {});
  EXPECT_EQ(again.look(2, "b = 1").seen, Seen::kNever);
  EXPECT_EQ(again.look(3, module("A", 4)).seen, Seen::kNever);
  EXPECT_EQ(again.look(4, "c = 1").seen, Seen::kNever);
  EXPECT_EQ(again.look(5, "a = 1").earlier, 1);
}

TEST(Duplicates, SaysWhichFileIsUnusable) {
  const base::ScratchFolder scratch;
  try {
    Duplicates seen(scratch.path("missing/seen.sqlite"), 1, {});
    FAIL();
  } catch (const base::UserError& error) {
    EXPECT_NE(std::string(error.what()).find("seen.sqlite"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace tritonrl::data
