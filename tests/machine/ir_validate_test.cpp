#include "machine/ir/validate.h"

#include <gtest/gtest.h>

#include "machine/ir/reader.h"

namespace tritonrl::machine {
namespace {

// One of each kind of value.
std::string in_function(const std::string& body) {
  return "module {\n"
         "  tt.func public @kernel(%c: i1, %n: i32, %l: i64, %x: index, %h: f32, %p: !tt.ptr<f32>, %ps: "
         "tensor<4x!tt.ptr<f32>>,"
         " %f: tensor<4xf32>, %g: tensor<4x8xf32>, %i: tensor<4xi32>, %m: tensor<4xi1>, %bp: !tt.ptr<tensor<4x8xf32>>,"
         " %d: !tt.tensordesc<tensor<4x8xf32>>, %row: !tt.tensordesc<tensor<1x8xf32>>, %ip: tensor<4x!tt.ptr<i32>>) "
         "{\n" +
         body +
         "\n    tt.return\n  }\n"
         "  tt.func private @two(%a: i32, %b: f32) -> (f32, i32) {\n    tt.return %b, %a : f32, i32\n  }\n"
         "}\n";
}

std::string combine(const std::string& head, const std::string& arguments, const std::string& end,
                    const std::string& types) {
  return head + " ({\n^bb0(" + arguments + "):\n" + end + "\n}) : " + types;
}

class Accepted : public testing::TestWithParam<std::string> {};
TEST_P(Accepted, Reads) {
  const auto result = read_ir(in_function(GetParam()));
  EXPECT_TRUE(result.ok()) << GetParam() << "\n" << result.error();
}

// The rules refuse nothing that is right: each of these differs from a refused one below by little.
INSTANTIATE_TEST_SUITE_P(
    IrValidate, Accepted,
    testing::Values(
        "%r = arith.select %c, %f, %f : tensor<4xf32>", "%r = arith.select %m, %f, %f : tensor<4xi1>, tensor<4xf32>",
        "%r = tt.bitcast %p : !tt.ptr<f32> -> !tt.ptr<i64>",
        "%r = tt.broadcast %g : tensor<4x8xf32> -> tensor<4x8xf32>",
        "%r = tt.load %bp {boundaryCheck = array<i32: 1>, padding = 2 : i32} : !tt.ptr<tensor<4x8xf32>>",
        "%r = tt.trans %g {order = array<i32: 1, 0>} : tensor<4x8xf32> -> tensor<8x4xf32>",
        "%r:2 = tt.call @two(%n, %h) : (i32, f32) -> (f32, i32)",
        "%r = tt.descriptor_load %d[%n, %n] : !tt.tensordesc<tensor<4x8xf32>> -> tensor<4x8xf32>",
        "%r = tt.descriptor_load %row[%n, %n] : !tt.tensordesc<tensor<1x8xf32>> -> tensor<8xf32>",
        "%r = tt.descriptor_gather %row[%i, %n] : (!tt.tensordesc<tensor<1x8xf32>>, tensor<4xi32>, i32) -> "
        "tensor<4x8xf32>",
        combine("%r = \"tt.reduce\"(%g) <{axis = 1 : i32}>", "%a: f32, %b: f32", "tt.reduce.return %a : f32",
                "(tensor<4x8xf32>) -> tensor<4xf32>"),
        combine("%r = \"tt.reduce\"(%f) <{axis = 0 : i32}>", "%a: f32, %b: f32", "tt.reduce.return %a : f32",
                "(tensor<4xf32>) -> f32"),
        combine("%r:2 = \"tt.scan\"(%f, %i) <{axis = 0 : i32, reverse = false}>", "%a: f32, %b: i32, %e: f32, %k: i32",
                "tt.scan.return %a, %b : f32, i32", "(tensor<4xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>)"),
        combine("%r = \"tt.map_elementwise\"(%f, %i) <{pack = 2 : i32}>", "%a: f32, %b: f32, %e: i32, %k: i32",
                "tt.map_elementwise.return %a, %b : f32, f32", "(tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>"),
        "cf.br ^bb2\n^bb1:\ncf.br ^bb2\n^bb2:",
        "cf.br ^bb2\n^bb1:\n%u = arith.addi %v, %v : i32\ncf.br ^bb3\n^bb2:\n"
        "%v = arith.addi %n, %n : i32\ncf.br ^bb1\n^bb3:"));

struct Refusal {
  std::string body, message;
};

class Refused : public testing::TestWithParam<Refusal> {};
TEST_P(Refused, SaysWhy) {
  const auto result = read_ir(in_function(GetParam().body));
  ASSERT_FALSE(result.ok()) << GetParam().body;
  EXPECT_NE(result.error().find(GetParam().message), std::string::npos) << GetParam().body << "\n" << result.error();
}

INSTANTIATE_TEST_SUITE_P(
    Elementwise, Refused,
    testing::Values(
        Refusal{"%r = arith.addi %f, %f : tensor<4xf32>", "not for this type"},
        Refusal{"%r = arith.addf %i, %i : tensor<4xi32>", "not for this type"},
        Refusal{"%r = arith.addf %f, %g : tensor<4xf32>", "types differ"},
        Refusal{"%r = arith.addf %h, %h : tensor<4xf32>", "used as"},
        Refusal{"%r = arith.cmpi slt, %f, %f : tensor<4xf32>", "not for this type"},
        Refusal{"%r = arith.cmpi olt, %i, %i : tensor<4xi32>", "unknown predicate"},
        Refusal{"%r = arith.cmpf slt, %f, %f : tensor<4xf32>", "unknown predicate"},
        Refusal{"%r = arith.select %i, %f, %f : tensor<4xi32>, tensor<4xf32>", "the condition"},
        Refusal{"%r = arith.select %m, %g, %g : tensor<4xi1>, tensor<4x8xf32>", "the condition"},
        Refusal{"%r = arith.extsi %i : tensor<4xi32> to tensor<4xi16>", "types do not fit"},
        Refusal{"%r = arith.trunci %i : tensor<4xi32> to tensor<4xi32>", "types do not fit"},
        Refusal{"%r = arith.extf %i : tensor<4xi32> to tensor<4xf32>", "types do not fit"},
        Refusal{"%r = arith.bitcast %i : tensor<4xi32> to tensor<4xi64>", "types do not fit"},
        Refusal{"%r = arith.sitofp %i : tensor<4xi32> to tensor<8xf32>", "shapes differ"},
        Refusal{"%r = tt.int_to_ptr %n : i32 -> !tt.ptr<f32>", "types do not fit"},
        Refusal{"%r = tt.addptr %f, %i : tensor<4xf32>, tensor<4xi32>", "not a pointer"},
        Refusal{"%r = tt.addptr %ps, %n : tensor<4x!tt.ptr<f32>>, i32", "the offset does not fit"},
        Refusal{"%r = tt.addptr %ps, %f : tensor<4x!tt.ptr<f32>>, tensor<4xf32>", "the offset does not fit"},
        Refusal{"%r = tt.extern_elementwise %f, %h {symbol = \"s\"} : (tensor<4xf32>, f32) -> tensor<4xf32>", "shapes"},
        Refusal{"%r = tt.extern_elementwise %f : (tensor<4xf32>) -> tensor<4xf32>", "text is missing"},
        Refusal{"%r = tt.get_program_id w : i32", "no axis"}, Refusal{"%r = tt.get_program_id x : i64", "not i32"},
        Refusal{"tt.assert %n, \"m\" : i32", "not i1"}, Refusal{"llvm.intr.assume %n : i32", "not i1"},
        Refusal{"tt.print \"p\" {hex = false, isSigned = array<i32: 1>} : %n, %l : i32, i64", "a sign for each"},
        Refusal{"%r = \"arith.addf\"(%f) : (tensor<4xf32>) -> tensor<4xf32>", "not so many operands"},
        Refusal{"%r:2 = \"arith.addf\"(%f, %f) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)",
                "not so many results"},
        Refusal{"%r = \"arith.constant\"() : () -> i32", "no value"},
        Refusal{"%r:2 = arith.addf %f, %f : tensor<4xf32>", "has 1 results"}));

INSTANTIATE_TEST_SUITE_P(
    Memory, Refused,
    testing::Values(
        Refusal{"%r = tt.load %f : tensor<4xf32>", "not a pointer"},
        Refusal{"%r = tt.load %ps, %i : tensor<4x!tt.ptr<f32>>", "the mask"},
        Refusal{"%r = tt.load %ps, %c : tensor<4x!tt.ptr<f32>>", "the mask"},
        Refusal{"%r = tt.load %ps, %m, %i : tensor<4x!tt.ptr<f32>>", "the other value"},
        Refusal{"%r = tt.load %bp, %m : !tt.ptr<tensor<4x8xf32>>", "the mask"},
        Refusal{"%r = tt.load %bp {boundaryCheck = array<i32: 2>} : !tt.ptr<tensor<4x8xf32>>", "no such axis"},
        Refusal{"%r = tt.load %bp {padding = 3 : i32} : !tt.ptr<tensor<4x8xf32>>", "no padding"},
        Refusal{"%r = tt.load %d : !tt.tensordesc<tensor<4x8xf32>>", "not a pointer"},
        Refusal{"%r = \"tt.load\"(%ps) : (tensor<4x!tt.ptr<f32>>) -> tensor<4xi32>", "not what the pointer points to"},
        Refusal{"tt.store %ps, %i : tensor<4x!tt.ptr<f32>>", "not what the pointer points to"},
        Refusal{"tt.store %p, %f : !tt.ptr<f32>", "not what the pointer points to"},
        Refusal{"tt.store %ps, %f, %c : tensor<4x!tt.ptr<f32>>", "the mask"},
        Refusal{
            "%r = tt.atomic_rmw add, relaxed, gpu, %ps, %f : (tensor<4x!tt.ptr<f32>>, tensor<4xf32>) -> tensor<4xf32>",
            "not for this type"},
        Refusal{"%r = tt.atomic_rmw fadd, relaxed, gpu, %ip, %i : (tensor<4x!tt.ptr<i32>>, tensor<4xi32>) -> "
                "tensor<4xi32>",
                "not for this type"},
        Refusal{"%r = tt.atomic_rmw mul, relaxed, gpu, %ip, %i : (tensor<4x!tt.ptr<i32>>, tensor<4xi32>) -> "
                "tensor<4xi32>",
                "unknown operation"},
        Refusal{
            "%r = tt.atomic_cas relaxed, gpu, %ip, %i, %f : (tensor<4x!tt.ptr<i32>>, tensor<4xi32>, tensor<4xf32>) -> "
            "tensor<4xi32>",
            "not what the pointer points to"},
        Refusal{"%r = tt.make_tensor_ptr %p, [%l], [%l], [%n] {order = array<i32: 1, 0>} : <tensor<4x8xf32>>",
                "numbers"},
        Refusal{"%r = tt.make_tensor_ptr %p, [%l], [%l], [%n] {order = array<i32: 1>} : <tensor<4xf32>>", "the order"},
        Refusal{"%r = tt.make_tensor_ptr %p, [%l], [%n], [%n] {order = array<i32: 0>} : <tensor<4xf32>>", "integer"},
        Refusal{"%r = tt.make_tensor_ptr %p, [%l], [%l], [%n] {order = array<i32: 0>} : <tensor<4xf16>>", "the base"},
        Refusal{"%r = tt.advance %bp, [%n] : <tensor<4x8xf32>>", "numbers"},
        Refusal{"%r = tt.make_tensor_descriptor %p, [%n, %n], [%l] : <f32>, <tensor<4x8xf32>>", "numbers"},
        Refusal{"%r = tt.descriptor_load %d[%n] : !tt.tensordesc<tensor<4x8xf32>> -> tensor<4x8xf32>", "numbers"},
        Refusal{"%r = tt.descriptor_load %d[%n, %n] : !tt.tensordesc<tensor<4x8xf32>> -> tensor<4x4xf32>", "the block"},
        Refusal{"tt.descriptor_store %d[%n, %n], %f : !tt.tensordesc<tensor<4x8xf32>>, tensor<4xf32>", "the block"},
        Refusal{"tt.descriptor_reduce mul, %d[%n, %n], %g : !tt.tensordesc<tensor<4x8xf32>>, tensor<4x8xf32>",
                "unknown operation"},
        Refusal{"%r = tt.descriptor_gather %d[%i, %n] : (!tt.tensordesc<tensor<4x8xf32>>, tensor<4xi32>, i32) -> "
                "tensor<4x8xf32>",
                "not one of rows"}));

INSTANTIATE_TEST_SUITE_P(
    Shapes, Refused,
    testing::Values(
        Refusal{"%r = tt.splat %n : i32 -> tensor<4xf32>", "types do not fit"},
        Refusal{"%r = tt.splat %f : tensor<4xf32> -> tensor<4x4xf32>", "types do not fit"},
        Refusal{"%r = tt.unsplat %f : tensor<4xf32>", "types do not fit"},
        Refusal{"%r = tt.broadcast %f : tensor<4xf32> -> tensor<8xf32>", "shapes do not fit"},
        Refusal{"%r = tt.broadcast %f : tensor<4xf32> -> tensor<4x4xf32>", "ranks differ"},
        Refusal{"%r = tt.expand_dims %f {axis = 2 : i32} : tensor<4xf32> -> tensor<4x1xf32>", "no axis"},
        Refusal{"%r = tt.expand_dims %f {axis = 0 : i32} : tensor<4xf32> -> tensor<4x1xf32>", "shapes do not fit"},
        Refusal{"%r = tt.reshape %f : tensor<4xf32> -> tensor<8xf32>", "shapes do not fit"},
        Refusal{"%r = tt.reshape %f : tensor<4xf32> -> tensor<4xi32>", "elements differ"},
        Refusal{"%r = tt.trans %g {order = array<i32: 0, 0>} : tensor<4x8xf32> -> tensor<4x4xf32>", "the order"},
        Refusal{"%r = tt.trans %g {order = array<i32: 0, 1>} : tensor<4x8xf32> -> tensor<8x4xf32>",
                "shapes do not fit"},
        Refusal{"%r = tt.trans %g : tensor<4x8xf32> -> tensor<8x4xf32>", "no order"},
        Refusal{"%r = tt.join %f, %f : tensor<4xf32> -> tensor<2x4xf32>", "types do not fit"},
        Refusal{"%r:2 = tt.split %g : tensor<4x8xf32> -> tensor<4xf32>", "types do not fit"},
        Refusal{"%r = tt.cat %f, %f : tensor<4xf32> -> tensor<4xf32>", "shapes do not fit"},
        Refusal{"%r = tt.gather %f[%i] {axis = 1 : i32} : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>", "no axis"},
        Refusal{"%r = tt.gather %g[%i] {axis = 0 : i32} : (tensor<4x8xf32>, tensor<4xi32>) -> tensor<4xf32>",
                "indices"},
        Refusal{"%r = tt.histogram %f : tensor<4xf32> -> tensor<4xi32>", "types do not fit"},
        Refusal{"%r = tt.make_range {end = 5 : i32, start = 0 : i32} : tensor<4xi32>", "the range"},
        Refusal{"%r = tt.make_range {start = 0 : i32} : tensor<4xi32>", "no end"},
        Refusal{"%r = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi64>", "the range"},
        Refusal{"%r = tt.dot %g, %g, %g : tensor<4x8xf32> * tensor<4x8xf32> -> tensor<4x8xf32>", "shapes do not fit"},
        Refusal{"%r = tt.dot %f, %f, %f : tensor<4xf32> * tensor<4xf32> -> tensor<4xf32>", "types do not fit"},
        Refusal{combine("%r = \"tt.reduce\"(%g) <{axis = 2 : i32}>", "%a: f32, %b: f32", "tt.reduce.return %a : f32",
                        "(tensor<4x8xf32>) -> tensor<4xf32>"),
                "no axis"},
        Refusal{combine("%r = \"tt.reduce\"(%g) <{axis = 0 : i32}>", "%a: f32, %b: f32", "tt.reduce.return %a : f32",
                        "(tensor<4x8xf32>) -> tensor<4xf32>"),
                "the result"},
        Refusal{combine("%r = \"tt.reduce\"(%g) <{axis = 1 : i32}>", "%a: f32", "tt.reduce.return %a : f32",
                        "(tensor<4x8xf32>) -> tensor<4xf32>"),
                "other arguments"},
        Refusal{combine("%r = \"tt.reduce\"(%g) <{axis = 1 : i32}>", "%a: f32, %b: i32", "tt.reduce.return %a : f32",
                        "(tensor<4x8xf32>) -> tensor<4xf32>"),
                "other arguments"},
        Refusal{combine("%r = \"tt.reduce\"(%g) <{axis = 1 : i32}>", "%a: f32, %b: f32", "tt.reduce.return %n : i32",
                        "(tensor<4x8xf32>) -> tensor<4xf32>"),
                "types differ"},
        Refusal{combine("%r = \"tt.reduce\"(%g) <{axis = 1 : i32}>", "%a: f32, %b: f32", "tt.scan.return %a : f32",
                        "(tensor<4x8xf32>) -> tensor<4xf32>"),
                "ends otherwise"},
        Refusal{"%r = \"tt.reduce\"(%g) <{axis = 1 : i32}> : (tensor<4x8xf32>) -> tensor<4xf32>", "regions"}));

INSTANTIATE_TEST_SUITE_P(
    Structure, Refused,
    testing::Values(
        Refusal{"%r = arith.addi %r, %n : i32", "before it is defined"},
        Refusal{"%a = arith.addi %b, %n : i32\n%b = arith.addi %n, %n : i32", "before it is defined"},
        Refusal{"%a = arith.addi %unknown, %n : i32", "%unknown is not defined"},
        Refusal{"%n = arith.addi %l, %l : i64", "defined twice"},
        Refusal{"scf.if %c {\n%a = arith.addi %n, %n : i32\n}\n%b = arith.addi %a, %n : i32", "%a is not defined"},
        Refusal{"cf.cond_br %c, ^bb1, ^bb2\n^bb1:\n%a = arith.addi %n, %n : i32\ncf.br ^bb2\n^bb2:\n"
                "%b = arith.addi %a, %n : i32",
                "before it is defined"},
        Refusal{"cf.br ^bb1", "no such block"}, Refusal{"cf.br ^bb1(%n : i32)\n^bb1:", "other arguments"},
        Refusal{"cf.br ^bb1\n^bb1(%a: i32):", "other arguments"},
        Refusal{"cf.br ^bb1(%l : i64)\n^bb1(%a: i32):", "other arguments"},
        Refusal{"cf.cond_br %n, ^bb1, ^bb1\n^bb1:", "not i1"}, Refusal{"cf.br ^bb1\n^bb1:\ncf.br ^bb1\n^bb1:", "twice"},
        Refusal{"cf.br ^bb1\ntt.return\n^bb1:", "within a block"},
        Refusal{"tt.return %n : i32\n^bb1:", "another number"},
        Refusal{"cf.br ^bb1\n^bb1:\n%a = arith.addi %n, %n : i32\n^bb2:", "ends a block"},
        Refusal{"cf.br ^bb1\n^bb1:\n^bb2:", "empty block"}, Refusal{"scf.yield\n^bb1:", "cannot end"},
        Refusal{"scf.for %a = %n to %l step %n : i32 {\n}", "used as"},
        Refusal{"scf.for %a = %h to %h step %h : f32 {\n}", "not an integer"},
        Refusal{"%r = scf.for %a = %n to %n step %n iter_args(%b = %h) -> (f32) : i32 {\nscf.yield %a : i32\n}",
                "differ"},
        Refusal{"%r = scf.for %a = %n to %n step %n iter_args(%b = %h) -> (f32) : i32 {\nscf.yield\n}",
                "another number"},
        Refusal{"%r = scf.for %a = %n to %n step %n iter_args(%b = %h) -> (f32) : i32 {\n}", "empty block"},
        Refusal{"%r = scf.if %c -> (i32) {\nscf.yield %n : i32\n}", "a case is missing"},
        Refusal{"%r = scf.if %c -> (i32) {\nscf.yield %n : i32\n} else {\nscf.yield %h : f32\n}", "types differ"},
        Refusal{"scf.if %n {\n}", "not i1"}, Refusal{"scf.if %c {\ntt.return\n}", "ends otherwise"},
        Refusal{"scf.if %c {\ncf.br ^bb1\n^bb1:\nscf.yield\n}", "not so many blocks"},
        Refusal{"%r = scf.while (%a = %n) : (i32) -> f32 {\nscf.condition(%c) %a : i32\n} do {\n^bb0(%b: f32):\n"
                "scf.yield %n : i32\n}",
                "types differ"},
        Refusal{"%r = scf.while (%a = %n) : (i32) -> i32 {\nscf.condition(%n) %a : i32\n} do {\n^bb0(%b: i32):\n"
                "scf.yield %n : i32\n}",
                "not i1"},
        Refusal{"tt.call @nobody() : () -> ()", "no such function"},
        Refusal{"%r:2 = tt.call @two(%h, %n) : (f32, i32) -> (f32, i32)", "types do not fit the function"},
        Refusal{"%r = tt.call @two(%n, %h) : (i32, f32) -> (f32)", "numbers do not fit the function"},
        Refusal{"%r:2 = tt.call @two(%n, %h) : (i32, f32) -> (i32, f32)", "types do not fit the function"},
        Refusal{"tt.call @kernel() : () -> ()", "numbers do not fit the function"}));

TEST(IrValidate, RefusesFunctionsThatReachThemselves) {
  const auto result = read_ir(
      "module {\n  tt.func public @a() {\n    tt.call @b() : () -> ()\n    tt.return\n  }\n"
      "  tt.func private @b() {\n    tt.call @a() : () -> ()\n    tt.return\n  }\n}\n");
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().find("calls itself"), std::string::npos) << result.error();
}

TEST(IrValidate, BoundsTheDepthOfCalls) {
  const auto chain = [](int length) {
    std::string text = "module {\n  tt.func public @f0() {\n    tt.return\n  }\n";
    for (int i = 1; i < length; ++i) {
      text += "  tt.func private @f" + std::to_string(i) + "() {\n    tt.call @f" + std::to_string(i - 1) +
              "() : () -> ()\n    tt.return\n  }\n";
    }
    return text + "}\n";
  };
  EXPECT_TRUE(read_ir(chain(100)).ok());
  EXPECT_FALSE(read_ir(chain(200)).ok());
  EXPECT_FALSE(read_ir(chain(20'000)).ok());
}

// Sixty doublings: small as a text, endless to execute or to inline.
TEST(IrValidate, BoundsWhatCallsStandFor) {
  std::string text = "module {\n  tt.func public @f0() {\n    tt.return\n  }\n";
  for (int i = 1; i < 60; ++i) {
    const std::string call = "    tt.call @f" + std::to_string(i - 1) + "() : () -> ()\n";
    text += "  tt.func private @f" + std::to_string(i) + "() {\n" + call + call + "    tt.return\n  }\n";
  }
  const auto result = read_ir(text + "}\n");
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().find("too many operations"), std::string::npos) << result.error();
}

TEST(IrValidate, RefusesNamesOfTwoFunctions) {
  const auto result =
      read_ir("module {\n  tt.func public @a() {\n    tt.return\n  }\n  tt.func @a() {\n    tt.return\n  }\n}\n");
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().find("defined twice"), std::string::npos);
}

TEST(IrValidate, RefusesLocationsThatAreNone) {
  for (const std::string locations :
       {"#loc1 = loc(#loc1)", "#loc1 = loc(callsite(#loc1 at #loc1))", "#loc1 = loc(\"a\"(#loc2))\n#loc2 = loc(#loc1)",
        "", "#loc1 = loc(\"f\":1:1)\n#loc1 = loc(\"f\":1:1)"}) {
    EXPECT_FALSE(
        read_ir("module {\n  tt.func public @a() {\n    tt.return loc(#loc1)\n  }\n}\n" + locations + "\n").ok())
        << locations;
  }
  // Forty doublings of a chain of calls.
  std::string doubling = "#loc0 = loc(\"f\":1:1)\n";
  for (int i = 1; i <= 40; ++i) {
    const std::string last = "#loc" + std::to_string(i - 1);
    doubling += "#loc" + std::to_string(i) + " = loc(callsite(" + last + " at " + last + "))\n";
  }
  EXPECT_FALSE(read_ir(doubling + "module {\n  tt.func public @a() {\n    tt.return loc(#loc40)\n  }\n}\n").ok());
}

}  // namespace
}  // namespace tritonrl::machine
