#include "text/replace_names.h"

#include <gtest/gtest.h>

namespace tritonrl::text {
namespace {

TEST(ReplaceNames, TakesWholeWords) {
  EXPECT_EQ(replace_names("# attr1(var1)\nself.attr1 = var1 + var10 + var1_ptr", {{"attr1", "conv"}, {"var1", "x"}}),
            "# conv(x)\nself.conv = x + var10 + var1_ptr");
  EXPECT_EQ(replace_names("a b", {{"a", "b"}, {"b", "a"}}), "b a") << "all at once";
  EXPECT_EQ(replace_names("", {{"a", "b"}}), "");
}

}  // namespace
}  // namespace tritonrl::text
