#include "base/error.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace tritonrl::base {
namespace {

TEST(Error, TheMessageBeginsWithTheModule) {
  EXPECT_STREQ(UserError("files", "x.py: is a directory").what(), "[files] x.py: is a directory");
  EXPECT_STREQ(InfrastructureError("pipe", "broke").what(), "[pipe] broke");
}

TEST(Error, TheTwoKindsAreToldApart) {
  EXPECT_THROW(
      try { throw UserError("a", "b"); } catch (const InfrastructureError&){}, UserError);
  EXPECT_THROW(
      try { throw InfrastructureError("a", "b"); } catch (const UserError&){}, InfrastructureError);
}

TEST(Error, SystemMessageExplainsErrno) {
  errno = ENOENT;
  EXPECT_EQ(system_message("open x"), "open x: No such file or directory");
}

}  // namespace
}  // namespace tritonrl::base
