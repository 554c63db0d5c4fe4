#include "machine/frame_allocator.h"

#include <gtest/gtest.h>

namespace tritonrl::machine {
namespace {

TEST(FrameAllocator, ReusesWhatTheLastOwnerReleased) {
  FrameAllocator frame;
  const std::int32_t a = frame.allocate(100);
  frame.share(a);
  frame.release(a);
  EXPECT_NE(frame.allocate(100), a);  // still shared
  frame.release(a);
  EXPECT_EQ(frame.allocate(128), a);  // the same size once rounded
  EXPECT_EQ(frame.bytes(), 256);
}

TEST(FrameAllocator, FreshPlacesWereNeverAnybodys) {
  FrameAllocator frame;
  const std::int32_t a = frame.allocate(64);
  frame.release(a);
  EXPECT_NE(frame.allocate_fresh(64), a);
  EXPECT_EQ(frame.allocate(64), a);
}

}  // namespace
}  // namespace tritonrl::machine
