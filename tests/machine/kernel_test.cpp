#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/machine/launched.h"

namespace tritonrl::machine {
namespace {

// out[i] = x[i] + 1 for i in pid * 16 + [0, 16), i < n
const char* const kAddOne = R"(
module {
  tt.func public @add_one(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
    %one = arith.constant dense<1.000000e+00> : tensor<16xf32>
    %c16 = arith.constant 16 : i32
    %pid = tt.get_program_id x : i32
    %start = arith.muli %pid, %c16 : i32
    %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %s = tt.splat %start : i32 -> tensor<16xi32>
    %i = arith.addi %s, %range : tensor<16xi32>
    %ns = tt.splat %n : i32 -> tensor<16xi32>
    %m = arith.cmpi slt, %i, %ns : tensor<16xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %xp = tt.addptr %xs, %i : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %v = tt.load %xp, %m : tensor<16x!tt.ptr<f32>>
    %w = arith.addf %v, %one : tensor<16xf32>
    %os = tt.splat %out : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %op = tt.addptr %os, %i : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    tt.store %op, %w, %m : tensor<16x!tt.ptr<f32>>
    tt.return
  }
}
)";

// Adds 1.0 to out[0], atomically.
const char* const kCount = R"(
module {
  tt.func public @count(%out: !tt.ptr<f32>) {
    %one = arith.constant 1.000000e+00 : f32
    %true = arith.constant true
    %old = tt.atomic_rmw fadd, relaxed, gpu, %out, %one, %true : (!tt.ptr<f32>, f32, i1) -> f32
    tt.return
  }
}
)";

// Loops for ever.
const char* const kForever = R"(
module {
  tt.func public @forever(%out: !tt.ptr<i32>) {
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    %r = scf.while (%i = %c0) : (i32) -> i32 {
      scf.condition(%true) %i : i32
    } do {
    ^bb0(%i: i32):
      %c1 = arith.constant 1 : i32
      %j = arith.addi %i, %c1 : i32
      scf.yield %j : i32
    }
    tt.store %out, %r : !tt.ptr<i32>
    tt.return
  }
}
)";

std::vector<float> counting(std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.0f);
  return values;
}

TEST(Kernel, RunsEveryProgramOfTheGrid) {
  Memory memory;
  Array<float> x(memory, counting(100), "x"), out(memory, std::vector<float>(100, -5), "out", false);
  const Argument arguments[] = {x.argument(), out.argument(), std::int64_t{100}};
  const LaunchOutcome outcome = kernel_of(kAddOne).launch({7, 1, 1}, arguments, memory);
  EXPECT_TRUE(outcome.completed);
  EXPECT_TRUE(outcome.findings.empty());
  for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(out[i], static_cast<float>(i + 1));
  EXPECT_EQ(outcome.counters.programs, 7);
  EXPECT_EQ(outcome.counters.executed, 7);
  ASSERT_EQ(outcome.counters.tensors.size(), 2u);
  EXPECT_EQ(outcome.counters.tensors[0].load_bytes, 400);
  EXPECT_EQ(outcome.counters.tensors[0].unique_load_bytes, 416);  // whole sectors
  EXPECT_EQ(outcome.counters.tensors[1].store_sectors, 13);
  EXPECT_EQ(outcome.counters.float_ops, 7 * 16);
}

TEST(Kernel, StopsAtTheFirstAccessOutOfBounds) {
  Memory memory;
  Array<float> x(memory, counting(100), "x"), out(memory, std::vector<float>(200), "out");
  const Argument arguments[] = {x.argument(), out.argument(), std::int64_t{101}};
  const LaunchOutcome outcome = kernel_of(kAddOne).launch({7, 1, 1}, arguments, memory);
  EXPECT_FALSE(outcome.completed);
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].kind, Finding::Kind::kOutOfBounds);
  EXPECT_EQ(outcome.findings[0].tensor, "x");
  EXPECT_EQ(outcome.findings[0].offset, 400);
  EXPECT_EQ(outcome.findings[0].program[0], 6);
  EXPECT_EQ(outcome.findings[0].operation, "tt.load");
}

TEST(Kernel, SeesReadsOfWhatNobodyWrote) {
  Memory memory;
  Array<float> x(memory, counting(100), "x", false), out(memory, std::vector<float>(100), "out");
  const Argument arguments[] = {x.argument(), out.argument(), std::int64_t{100}};
  const LaunchOutcome outcome = kernel_of(kAddOne).launch({7, 1, 1}, arguments, memory);
  EXPECT_TRUE(outcome.completed);
  ASSERT_NE(outcome.find(Finding::Kind::kUndefinedRead), nullptr);
  EXPECT_EQ(outcome.find(Finding::Kind::kUndefinedRead)->tensor, "x");
  MachineOptions off;
  off.check_undefined = false;
  EXPECT_TRUE(kernel_of(kAddOne).launch({7, 1, 1}, arguments, memory, off).findings.empty());
}

TEST(Kernel, RefusesArgumentsThatDoNotFit) {
  Memory memory;
  Array<float> x(memory, counting(16), "x");
  const Kernel kernel = kernel_of(kAddOne);
  const Argument too_few[] = {x.argument(), x.argument()};
  const Argument wrong_kind[] = {x.argument(), std::int64_t{3}, std::int64_t{16}};
  const Argument a_float[] = {x.argument(), x.argument(), 16.0};
  for (const std::span<const Argument> arguments :
       {std::span(too_few, 2), std::span(wrong_kind, 3), std::span(a_float, 3)}) {
    const LaunchOutcome outcome = kernel.launch({1, 1, 1}, arguments, memory);
    EXPECT_FALSE(outcome.completed);
    ASSERT_EQ(outcome.findings.size(), 1u);
    EXPECT_EQ(outcome.findings[0].kind, Finding::Kind::kNotExecutable);
  }
  const Argument good[] = {x.argument(), x.argument(), std::int64_t{16}};
  for (const std::array<std::int64_t, 3> grid : {std::array<std::int64_t, 3>{0, 1, 1}, {1 << 20, 1 << 20, 1}}) {
    EXPECT_FALSE(kernel.launch(grid, good, memory).completed);
  }
}

TEST(Kernel, ThreadsGiveTheSameAsOne) {
  for (const int threads : {1, 2, 5}) {
    Memory memory;
    Array<float> x(memory, counting(1000), "x"), out(memory, std::vector<float>(1000), "out"), sum(memory, {0}, "sum");
    MachineOptions options;
    options.threads = threads;
    const Argument arguments[] = {x.argument(), out.argument(), std::int64_t{1000}};
    const LaunchOutcome outcome = kernel_of(kAddOne).launch({63, 1, 1}, arguments, memory, options);
    EXPECT_TRUE(outcome.completed);
    for (std::size_t i = 0; i < 1000; ++i) ASSERT_EQ(out[i], static_cast<float>(i + 1));
    EXPECT_EQ(outcome.counters.tensors[0].load_bytes, 4000);
    EXPECT_EQ(outcome.counters.tensors[0].unique_load_bytes, 4000);
    const Argument counter[] = {sum.argument()};
    EXPECT_TRUE(kernel_of(kCount).launch({500, 1, 1}, counter, memory, options).completed);
    EXPECT_EQ(sum[0], 500.0f);
  }
}

TEST(Kernel, StopsWhatNeverEnds) {
  Memory memory;
  Array<std::int32_t> out(memory, {0}, "out");
  MachineOptions options;
  options.wall_ms = 100;
  const Argument arguments[] = {out.argument()};
  const LaunchOutcome outcome = kernel_of(kForever).launch({1, 1, 1}, arguments, memory, options);
  EXPECT_FALSE(outcome.completed);
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].kind, Finding::Kind::kTimeout);
}

TEST(Kernel, FindsWhereANanBegins) {
  Memory memory;
  std::vector<float> values = counting(16);
  values[3] = std::numeric_limits<float>::infinity();
  const char* const subtract = R"(
module {
  tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
    %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %xp = tt.addptr %xs, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %v = tt.load %xp : tensor<16x!tt.ptr<f32>>
    %w = arith.subf %v, %v : tensor<16xf32>
    %u = math.exp %w : tensor<16xf32>
    %os = tt.splat %out : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %op = tt.addptr %os, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    tt.store %op, %u : tensor<16x!tt.ptr<f32>>
    tt.return
  }
}
)";
  Array<float> x(memory, values, "x"), out(memory, std::vector<float>(16), "out");
  MachineOptions options;
  options.nan_origin = true;
  const Argument arguments[] = {x.argument(), out.argument()};
  const LaunchOutcome outcome = kernel_of(subtract).launch({1, 1, 1}, arguments, memory, options);
  ASSERT_NE(outcome.find(Finding::Kind::kNan), nullptr);
  EXPECT_EQ(outcome.find(Finding::Kind::kNan)->operation, "arith.subf");
  EXPECT_TRUE(std::isnan(out[3]));
  EXPECT_TRUE(kernel_of(subtract).launch({1, 1, 1}, arguments, memory).findings.empty());
}

TEST(Kernel, SamplesAndScales) {
  Memory memory;
  Array<float> x(memory, counting(16 * 1000), "x"), out(memory, std::vector<float>(16 * 1000), "out");
  MachineOptions options;
  options.sample = 50;
  const Argument arguments[] = {x.argument(), out.argument(), std::int64_t{16 * 1000}};
  const LaunchOutcome outcome = kernel_of(kAddOne).launch({1000, 1, 1}, arguments, memory, options);
  EXPECT_TRUE(outcome.completed);
  EXPECT_EQ(outcome.counters.executed, 50);
  EXPECT_EQ(outcome.counters.programs, 1000);
  EXPECT_DOUBLE_EQ(outcome.counters.tensors[0].load_bytes, 64000);
  EXPECT_NEAR(outcome.counters.tensors[0].unique_load_bytes, 64000, 1);
  EXPECT_EQ(out[0], 1.0f);          // the first program,
  EXPECT_EQ(out[15999], 16000.0f);  // and the last
}

TEST(Kernel, FillsLazyMemoryWhereItIsTouched) {
  Memory memory;
  std::vector<float> data(16 * 1000, 0.0f);
  Array<float> out(memory, std::vector<float>(16 * 1000), "out");
  const int lazy =
      memory.add(reinterpret_cast<std::byte*>(data.data()), static_cast<std::int64_t>(data.size() * 4), "lazy");
  std::int64_t filled = 0;
  memory.at(lazy).fill = [&](std::int64_t, std::byte* page, std::int64_t bytes) {
    filled += bytes;
    std::fill(reinterpret_cast<float*>(page), reinterpret_cast<float*>(page + bytes), 2.0f);
  };
  memory.at(lazy).filled.assign(static_cast<std::size_t>((data.size() * 4 + 4095) / 4096), false);
  const Argument arguments[] = {PointerArgument{memory.at(lazy).address}, out.argument(), std::int64_t{16}};
  EXPECT_TRUE(kernel_of(kAddOne).launch({1, 1, 1}, arguments, memory).completed);
  EXPECT_EQ(out[0], 3.0f);
  EXPECT_EQ(filled, 4096);
}

TEST(Kernel, KeepsUnknownOperationsUntilTheyAreReached) {
  const std::string unknown = R"(
module {
  tt.func public @k(%n: i32) {
    %c0 = arith.constant 0 : i32
    %yes = arith.cmpi sgt, %n, %c0 : i32
    scf.if %yes {
      "tt.make_coffee"(%n) : (i32) -> ()
    }
    tt.return
  }
}
)";
  Memory memory;
  const Kernel kernel = kernel_of(unknown);
  const Argument no[] = {std::int64_t{0}};
  const Argument yes[] = {std::int64_t{1}};
  EXPECT_TRUE(kernel.launch({1, 1, 1}, no, memory).completed);
  const LaunchOutcome outcome = kernel.launch({1, 1, 1}, yes, memory);
  EXPECT_FALSE(outcome.completed);
  ASSERT_NE(outcome.find(Finding::Kind::kNotExecutable), nullptr);
  EXPECT_NE(outcome.find(Finding::Kind::kNotExecutable)->message.find("tt.make_coffee"), std::string::npos);
}

}  // namespace
}  // namespace tritonrl::machine
