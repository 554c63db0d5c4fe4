#include "teacher/writer/access.h"

#include <gtest/gtest.h>

namespace tritonrl::teacher {
namespace {

using enum Access::Kind;

TEST(Access, TellsWhereAnOperandsElementsLie) {
  EXPECT_EQ(access_of({2, 3, 4}, {2, 3, 4}).kind, kSame);
  EXPECT_EQ(access_of({1}, {2, 3, 4}).kind, kOne);
  EXPECT_EQ(access_of({4}, {2, 3, 4}).kind, kTrail);
  EXPECT_EQ(access_of({3, 1}, {2, 3, 4}).kind, kMiddle);
  EXPECT_EQ(access_of({3, 1}, {2, 3, 4}).last, 1);
  EXPECT_EQ(access_of({2, 1, 1}, {2, 3, 4}).kind, kLead);
  EXPECT_EQ(access_of({2, 1, 4}, {2, 3, 4}).kind, kExpand);
}

// A batch of one today may be another tomorrow: what is missing before an operand is divided away all the same.
TEST(Access, DoesNotTakeSizesOfOneForGranted) {
  EXPECT_EQ(access_of({3, 4}, {1, 3, 4}).kind, kTrail);
  EXPECT_EQ(access_of({1, 3, 1, 1}, {1, 3, 5, 5}).kind, kMiddle);
}

TEST(Access, WritesTheOffset) {
  EXPECT_EQ(place_text({kMiddle, 1}, "bias", "o"), "bias_ptr + o // bias_step % bias_size");
  EXPECT_EQ(place_text({kTrail, 2}, "bias", "p"), "bias_ptr + p % bias_size");
  EXPECT_EQ(place_text({kOne, 0}, "s", "o"), "s_ptr");
}

TEST(Access, AlignsParametersOfChannels) {
  Leaf leaf;
  leaf.fact = Fact::tensor(program::DType::kFloat32, {3});
  EXPECT_EQ(aligned_shape(leaf, {2, 3, 5, 5}), Shape({3}));
  leaf.channel = true;
  EXPECT_EQ(aligned_shape(leaf, {2, 3, 5, 5}), Shape({3, 1, 1}));
  EXPECT_EQ(aligned_shape(leaf, {2, 3}), Shape({3}));
}

}  // namespace
}  // namespace tritonrl::teacher
