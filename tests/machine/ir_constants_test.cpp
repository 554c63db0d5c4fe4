#include <gtest/gtest.h>

#include <map>

#include "machine/ir/reader.h"
#include "tests/machine/ir/samples.h"

namespace tritonrl::machine {
namespace {

using Bits = std::vector<std::uint64_t>;

TEST(IrConstants, HaveTheBitsOfTheirType) {
  const auto module = read_ir(ir_sample("constants").text);
  ASSERT_TRUE(module.ok()) << module.error();
  const std::vector<Bits> expected = {
      {1},                   // true
      {0x80},                // -128 : i8
      {0xFFFF},              // 65535 : i16
      {0xFFFFFFFF},          // -1 : i32
      {0x8000000000000000},  // the least i64
      {7},                   // index
      {0x2E66},              // 0.1 : f16
      {0xBFC0},              // -1.5 : bf16
      {0x3DCCCCCD},          // 0.1 : f32
      {0x3FB999999999999A},  // 0.1 : f64
      {0x7F800000},          // infinity
      {0xFC00},              // -infinity : f16
      {0x7FC00000},          // NaN
      {0x38},                // 1 : f8E4M3FN
      {0x3C},                // 1 : f8E5M2
      {0x1F},                // 0x1F : i32
      {1},                   // the least f32
      {0xFFFF},              // dense<-1> : i16
      {1, 0, 1},             // truths
      {1, 2, 3, 4, 5, 0xFFFFFFFA},
      {0x3F800000, 0xFF800000},
      {2},                 // equal elements are one
      {1, 2, 0xFFFFFFFF},  // a blob
      {0x3F800000},        // a blob of one element
      {1, 0, 1, 0},        // packed truths
      {1, 0, 1, 0},        // truths in bytes
      {1},                 // one byte for all
      {16},                // behind hints
  };
  const std::vector<Operation>& ops = module.value().functions[0].body.blocks[0].operations;
  ASSERT_EQ(ops.size(), expected.size() + 1);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Dense& dense = std::get<Dense>(*ops[i].attribute("value"));
    EXPECT_EQ(dense.bits, expected[i]) << i;
    EXPECT_EQ(dense.splat, expected[i].size() == 1) << i;
  }
}

TEST(IrConstants, MustFitTheirType) {
  for (const std::string constant : {"256 : i8",
                                     "-129 : i8",
                                     "2 : i1",
                                     "1.5 : i32",
                                     "18446744073709551616 : i64",
                                     "0x1FFFF : f16",
                                     "-0x7F800000 : f32",
                                     "1.0e999 : f64",
                                     "5 : !tt.ptr<f32>",
                                     "1 : tensor<4xi32>",
                                     "dense<1> : i32",
                                     "dense<[1, 2]> : tensor<3xi32>",
                                     "dense<[[1, 2]]> : tensor<2xi32>",
                                     "dense<[1, 2]> : tensor<1x2xi32>",
                                     "dense<[1, [2]]> : tensor<2xi32>",
                                     "dense<1.5> : tensor<2xi32>",
                                     "dense<true> : tensor<2xf32>",
                                     "dense<\"0x01\"> : tensor<2xi32>",
                                     "dense<\"0x0\"> : tensor<2xi8>",
                                     "dense<\"0xZZ\"> : tensor<1xi8>",
                                     "dense<> : tensor<2xi32>",
                                     "dense<1> : tensor<2x!tt.ptr<f32>>",
                                     "dense<1, 2> : tensor<2xi32>",
                                     "true : f32",
                                     "nan : f32"}) {
    const auto result =
        read_ir("module {\n  tt.func public @f() {\n    %0 = arith.constant " + constant + "\n    tt.return\n  }\n}\n");
    EXPECT_FALSE(result.ok()) << constant;
  }
}

}  // namespace
}  // namespace tritonrl::machine
