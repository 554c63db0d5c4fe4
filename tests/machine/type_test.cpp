#include "machine/ir/type.h"

#include <gtest/gtest.h>

#include "machine/ir/cursor.h"
#include "machine/ir/types.h"

namespace tritonrl::machine {
namespace {

constexpr std::int64_t kMost = 1 << 20;

Type read(std::string_view text) {
  IrCursor cursor(text);
  return read_type(cursor, kMost);
}

TEST(Type, KnowsItsScalars) {
  EXPECT_EQ(size_of(Scalar::kNone), 0);
  EXPECT_EQ(size_of(Scalar::kI1), 1);
  EXPECT_EQ(size_of(Scalar::kF8E5M2FNUZ), 1);
  EXPECT_EQ(size_of(Scalar::kBF16), 2);
  EXPECT_EQ(size_of(Scalar::kF64), 8);
  EXPECT_EQ(size_of(Scalar::kPointer), 8);
  EXPECT_TRUE(is_integer(Scalar::kI1));
  EXPECT_TRUE(is_integer(Scalar::kIndex));
  EXPECT_FALSE(is_integer(Scalar::kF8E4M3));
  EXPECT_TRUE(is_float(Scalar::kF8E4M3));
  EXPECT_TRUE(is_float(Scalar::kF64));
  EXPECT_FALSE(is_float(Scalar::kPointer));
  EXPECT_FALSE(is_integer(Scalar::kPointer));
}

TEST(Type, IsWrittenAsItWasRead) {
  for (const std::string text : {"i1",
                                 "i8",
                                 "i16",
                                 "i32",
                                 "i64",
                                 "index",
                                 "f16",
                                 "bf16",
                                 "f32",
                                 "f64",
                                 "f8E4M3FN",
                                 "f8E5M2",
                                 "f8E4M3B11FNUZ",
                                 "f8E4M3FNUZ",
                                 "f8E5M2FNUZ",
                                 "tensor<64xf32>",
                                 "tensor<2x3x4xi1>",
                                 "tensor<1x1xbf16>",
                                 "!tt.ptr<f32>",
                                 "tensor<64x!tt.ptr<i64>>",
                                 "!tt.ptr<!tt.ptr<f16>>",
                                 "!tt.ptr<tensor<32x16xf16>>",
                                 "!tt.tensordesc<tensor<8x32xf32>>",
                                 "!ttg.memdesc<16xf32, #shared, mutable>",
                                 "i128",
                                 "tensor<4xi128>",
                                 "vector<4xf32>",
                                 "(i32, f32) -> (i1)",
                                 "tensor<?xf32>",
                                 "tensor<f32>",
                                 "none"}) {
    EXPECT_EQ(to_string(read(text)), text);
  }
}

TEST(Type, DropsWhatTheMachineDoesNotNeed) {
  EXPECT_EQ(read("!tt.ptr<f32, 3>"), read("!tt.ptr<f32>"));
  EXPECT_EQ(read("tensor<4xf32, #ttg.blocked<{order = [0]}>>"), read("tensor<4xf32>"));
  EXPECT_EQ(read("!tt.tensordesc<tensor<4xsi32>>"), read("!tt.tensordesc<tensor<4xui32>>"));
}

TEST(Type, TellsKindsApart) {
  EXPECT_EQ(read("f32").kind, Type::Kind::kScalar);
  EXPECT_EQ(read("!tt.ptr<f32>").kind, Type::Kind::kScalar);
  EXPECT_EQ(read("!tt.ptr<f32>").element, Scalar::kF32);
  EXPECT_EQ(read("!tt.ptr<!tt.ptr<f16>>").inner, Scalar::kF16);
  const Type pointers = read("tensor<2x4x!tt.ptr<i8>>");
  EXPECT_EQ(pointers.kind, Type::Kind::kTensor);
  EXPECT_EQ(pointers.scalar, Scalar::kPointer);
  EXPECT_EQ(pointers.element, Scalar::kI8);
  EXPECT_EQ(pointers.count(), 8);
  EXPECT_EQ(read("!tt.ptr<tensor<4xf16>>").kind, Type::Kind::kBlockPointer);
  EXPECT_EQ(read("!tt.tensordesc<tensor<4xf16>>").kind, Type::Kind::kDescriptor);
  EXPECT_EQ(read("!tt.tensordesc<tensor<4xf16>>").element, Scalar::kF16);
  EXPECT_EQ(read("!tt.ptr<!tt.ptr<!tt.ptr<f32>>>").kind, Type::Kind::kOpaque);
}

TEST(Type, GivesWhatALoadGives) {
  EXPECT_EQ(pointee(read("tensor<4x!tt.ptr<f16>>")), read("tensor<4xf16>"));
  EXPECT_EQ(pointee(read("!tt.ptr<tensor<4x2xf16>>")), read("tensor<4x2xf16>"));
  EXPECT_EQ(pointee(read("!tt.ptr<!tt.ptr<f16>>")), read("!tt.ptr<f16>"));
  EXPECT_EQ(pointee(read("f32")).kind, Type::Kind::kOpaque);
  EXPECT_EQ(truth_like(read("tensor<4x!tt.ptr<f16>>")), read("tensor<4xi1>"));
  EXPECT_EQ(scalar_of(read("tensor<4x!tt.ptr<f16>>")), read("!tt.ptr<f16>"));
}

TEST(Type, RefusesWhatCannotBe) {
  for (const std::string text : {"tensor<0xf32>", "tensor<4x0xf32>", "tensor<9999999999999999999xf32>",
                                 "tensor<1048577xf32>", "tensor<1024x1025xf32>", "tensor<4xf32", "tensor<4f32>", "!",
                                 "", "tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>", "!tt.ptr<f32", "4"}) {
    EXPECT_THROW(read(text), IrError) << text;
  }
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "!tt.ptr<";
  EXPECT_THROW(read(deep), IrError);
}

}  // namespace
}  // namespace tritonrl::machine
