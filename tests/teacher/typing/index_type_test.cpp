#include "teacher/typing/rule_parts.h"

#include <gtest/gtest.h>

#include "tests/teacher/typing/inferred_module.h"

namespace tritonrl::teacher {
namespace {

// The type of x[index] for a tensor of shape (4, 5, 6), through a whole module.
std::string type_of(const std::string& index) {
  const InferredModule module(
      module_text("", "i = torch.tensor([0, 2, 1])\nm = x > 0\nreturn x[" + index + "]", "x=torch.randn(4, 5, 6)"));
  return module.of("x[" + index + "]");
}

TEST(IndexType, NumbersAndSlices) {
  EXPECT_EQ(type_of("0"), "float32[5, 6]");
  EXPECT_EQ(type_of("-1, 2"), "float32[6]");
  EXPECT_EQ(type_of("1:"), "float32[3, 5, 6]");
  EXPECT_EQ(type_of(":, 1:-1:2"), "float32[4, 2, 6]");
  EXPECT_EQ(type_of(":, -2:"), "float32[4, 2, 6]");
  EXPECT_EQ(type_of("3:1"), "float32[0, 5, 6]");
  EXPECT_EQ(type_of("..., 0"), "float32[4, 5]");
  EXPECT_EQ(type_of("0, ..., None"), "float32[5, 6, 1]");
  EXPECT_EQ(type_of("None"), "float32[1, 4, 5, 6]");
  EXPECT_EQ(type_of(":, None, 2"), "float32[4, 1, 6]");
}

TEST(IndexType, ListsAndTensors) {
  EXPECT_EQ(type_of("[0, 2]"), "float32[2, 5, 6]");
  EXPECT_EQ(type_of("i"), "float32[3, 5, 6]");
  EXPECT_EQ(type_of(":, i"), "float32[4, 3, 6]");
  EXPECT_EQ(type_of("i, i"), "float32[3, 6]");
  EXPECT_EQ(type_of("i, :, i"), "float32[3, 5]");
  EXPECT_EQ(type_of("i[:, None], i"), "float32[3, 3, 6]");
}

TEST(IndexType, NotTold) {
  EXPECT_EQ(type_of("m"), "unknown");  // as many as are true
  EXPECT_EQ(type_of("7"), "unknown");  // it would raise
  EXPECT_EQ(type_of("0, 0, 0, 0"), "unknown");
}

}  // namespace
}  // namespace tritonrl::teacher
