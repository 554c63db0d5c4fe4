#include "machine/memory.h"

#include <gtest/gtest.h>

namespace tritonrl::machine {
namespace {

TEST(Memory, AddressesAreAlignedAndFarApart) {
  std::vector<std::byte> data(1000);
  Memory memory;
  const int a = memory.add(data.data(), 1000, "a");
  const int b = memory.add(data.data(), 0, "empty");
  const int c = memory.add(data.data(), 8, "c");
  for (const int one : {a, b, c}) EXPECT_EQ(memory.at(one).address % 512, 0u);
  EXPECT_GT(memory.at(c).address - memory.at(a).address, std::uint64_t{1} << 29);
}

TEST(Memory, FindsWhatHoldsAnAddressAndNothingElse) {
  std::vector<std::byte> data(1000);
  Memory memory;
  const int a = memory.add(data.data(), 1000, "a");
  const int b = memory.add(data.data(), 16, "b");
  const std::uint64_t at = memory.at(a).address;
  EXPECT_EQ(memory.find(at), a);
  EXPECT_EQ(memory.find(at + 999), a);
  EXPECT_EQ(memory.find(at + 1000), -1);
  EXPECT_EQ(memory.find(at - 1), -1);
  EXPECT_EQ(memory.find(0), -1);
  EXPECT_EQ(memory.nearest(at + 1000), a);
  EXPECT_EQ(memory.nearest(memory.at(b).address - 1), b);
  EXPECT_EQ(memory.nearest(~std::uint64_t{0}), b);
  EXPECT_EQ(Memory().nearest(5), -1);
}

TEST(Memory, WhatWasRemovedIsGone) {
  std::vector<std::byte> data(64);
  Memory memory;
  std::vector<int> made;
  for (int i = 0; i < 9; ++i) made.push_back(memory.add(data.data(), 64, "x"));
  const std::uint64_t fourth = memory.at(made[4]).address;
  memory.remove(made[4]);
  memory.remove(made[3]);
  EXPECT_EQ(memory.find(fourth), -1);
  for (const int i : {0, 1, 2, 5, 6, 7, 8}) {
    EXPECT_EQ(memory.find(memory.at(made[static_cast<std::size_t>(i)]).address + 63),
              made[static_cast<std::size_t>(i)]);
  }
}

TEST(Memory, DefiningForgetsWhatWasNotWritten) {
  std::vector<std::byte> data(64);
  Memory memory;
  const int a = memory.add(data.data(), 64, "a", false);
  EXPECT_EQ(memory.at(a).undefined.size(), 64u);
  memory.define(a);
  EXPECT_TRUE(memory.at(a).undefined.empty());
}

}  // namespace
}  // namespace tritonrl::machine
