#include "machine/shadow.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace tritonrl::machine {
namespace {

class ShadowTest : public testing::Test {
 protected:
  ShadowTest() : data_(64), tensor_(memory_.add(data_.data(), 64, "x")), shadow_(memory_, 4, 100) {}

  bool read(std::int64_t offset, std::uint32_t program) { return shadow_.read(tensor_, offset, 4, program, conflict_); }
  bool write(std::int64_t offset, std::uint32_t program, bool same = false) {
    return shadow_.write(tensor_, offset, 4, same, program, conflict_);
  }
  bool atomic(std::int64_t offset, std::uint32_t program) {
    return shadow_.atomic(tensor_, offset, 4, program, conflict_);
  }

  std::vector<std::byte> data_;
  Memory memory_;
  int tensor_;
  Shadow shadow_;
  Shadow::Conflict conflict_;
};

TEST_F(ShadowTest, ProgramsMayReadTheSameAndWriteTheirOwn) {
  EXPECT_FALSE(read(0, 1));
  EXPECT_FALSE(read(0, 2));
  EXPECT_FALSE(write(4, 1));
  EXPECT_FALSE(read(4, 1));
  EXPECT_FALSE(write(8, 2));
}

TEST_F(ShadowTest, TwoWritersRace) {
  EXPECT_FALSE(write(12, 1));
  EXPECT_TRUE(write(12, 2));
  EXPECT_EQ(conflict_.offset, 12);
  EXPECT_EQ(conflict_.other, 1u);
  EXPECT_TRUE(conflict_.other_wrote);
}

TEST_F(ShadowTest, WritersOfTheSameValueDoNot) {
  EXPECT_FALSE(write(12, 1));
  EXPECT_FALSE(write(12, 2, true));
  EXPECT_TRUE(write(12, 3));
}

TEST_F(ShadowTest, AReaderRacesWithAWriterInEitherOrder) {
  EXPECT_FALSE(write(0, 1));
  EXPECT_TRUE(read(0, 2));
  EXPECT_FALSE(read(8, 2));
  EXPECT_TRUE(write(8, 1));
  EXPECT_FALSE(conflict_.other_wrote);
}

TEST_F(ShadowTest, AWriteThatChangesNothingIsNoRaceForReaders) {
  EXPECT_FALSE(write(0, 1, true));
  EXPECT_FALSE(read(0, 2));
  EXPECT_FALSE(read(4, 2));
  EXPECT_FALSE(write(4, 1, true));
}

TEST_F(ShadowTest, AtomicsDoNotRaceWithOneAnotherButWithPlainAccesses) {
  EXPECT_FALSE(atomic(0, 1));
  EXPECT_FALSE(atomic(0, 2));
  EXPECT_TRUE(read(0, 3));
  EXPECT_TRUE(conflict_.other_atomic);
  EXPECT_FALSE(write(8, 1));
  EXPECT_TRUE(atomic(8, 2));
}

TEST_F(ShadowTest, ALockOrdersWhatItGuards) {
  const std::uint64_t lock = memory_.at(tensor_).address;
  shadow_.begin_program();
  EXPECT_FALSE(write(16, 1));
  shadow_.synchronise(lock, true, true, 1);
  shadow_.begin_program();
  shadow_.synchronise(lock, true, true, 2);
  EXPECT_FALSE(read(16, 2));
  EXPECT_FALSE(write(16, 2));
  shadow_.synchronise(lock, true, true, 2);
  shadow_.begin_program();
  EXPECT_TRUE(read(16, 3));  // this one did not take the lock
  shadow_.begin_program();
  shadow_.synchronise(lock, true, false, 4);
  EXPECT_FALSE(read(16, 4));  // ordered after 2, and through it after 1
}

TEST_F(ShadowTest, AReleaseWithoutAnAcquireOrdersNothing) {
  const std::uint64_t lock = memory_.at(tensor_).address;
  shadow_.begin_program();
  EXPECT_FALSE(write(16, 1));
  shadow_.synchronise(lock, false, false, 1);  // relaxed
  shadow_.begin_program();
  shadow_.synchronise(lock, true, true, 2);
  EXPECT_TRUE(read(16, 2));
}

}  // namespace
}  // namespace tritonrl::machine
