// Which places of its source a launch says it executed.
#include "machine/coverage.h"

#include <gtest/gtest.h>

#include "tests/machine/launched.h"

namespace tritonrl::machine {
namespace {

using Positions = std::vector<SourcePosition>;

// Where n > 8: exp of x (line 12, of a function in a library that line 12 calls), else 2 * x (line 14); stored at line
// 15. `scale` (line 13, in the branch that is taken for large n) is the same for all programs.
const char* const kBranch = R"(
#file = loc("kernel.py":1:0)
module {
  tt.func public @branch(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32, %a: f32) {
    %two = arith.constant 2.000000e+00 : f32 loc(#l10)
    %c8 = arith.constant 8 : i32 loc(#l10)
    %pid = tt.get_program_id x : i32 loc(#l10)
    %k = arith.addi %pid, %c8 : i32 loc(#l10)
    %i = arith.subi %k, %c8 : i32 loc(#l10)
    %xp = tt.addptr %x, %i : !tt.ptr<f32>, i32 loc(#l10)
    %v = tt.load %xp : !tt.ptr<f32> loc(#l11)
    %large = arith.cmpi sgt, %n, %c8 : i32 loc(#l12)
    %y = scf.if %large -> (f32) {
      %e = math.exp %v : f32 loc(#inlined)
      %scale = arith.mulf %a, %two : f32 loc(#l13)
      %s = arith.addf %e, %scale : f32 loc(#l13add)
      scf.yield %s : f32 loc(#l12)
    } else {
      %d = arith.mulf %v, %two : f32 loc(#l14)
      scf.yield %d : f32 loc(#l12)
    } loc(#l12)
    %op = tt.addptr %out, %i : !tt.ptr<f32>, i32 loc(#l15)
    tt.store %op, %y : !tt.ptr<f32> loc(#l15)
    tt.return loc(#l15)
  }
}
#l10 = loc("kernel.py":10:4)
#l11 = loc("x"(#l11at))
#l11at = loc("kernel.py":11:16)
#l12 = loc("kernel.py":12:8)
#library = loc("standard.py":99:1)
#inlined = loc(callsite(#library at #l12call))
#l12call = loc("kernel.py":12:20)
#l13 = loc("kernel.py":13:8)
#l13add = loc("kernel.py":13:30)
#l14 = loc("kernel.py":14:8)
#l15 = loc("kernel.py":15:4)
)";

LaunchOutcome launched(std::int64_t n, MachineOptions options = {}) {
  Memory memory;
  Array<float> x(memory, std::vector<float>(64, 1), "x"), out(memory, std::vector<float>(64, 0), "out");
  const Argument arguments[] = {x.argument(), out.argument(), n, 3.0};
  const LaunchOutcome outcome = kernel_of(kBranch).launch({64, 1, 1}, arguments, memory, options);
  EXPECT_TRUE(outcome.completed);
  return outcome;
}

TEST(Coverage, TellsWhichBranchWasTaken) {
  EXPECT_EQ(launched(1).covered, (Positions{{11, 16}, {14, 8}, {15, 4}}));
  // 12:20 is where the library's function is called; 13:8 is computed for all programs at once, taken or not
  EXPECT_EQ(launched(100).covered, (Positions{{11, 16}, {12, 20}, {13, 30}, {15, 4}}));
}

TEST(Coverage, IsTheSameForSamplesAndSeveralThreads) {
  MachineOptions options;
  options.sample = 4;
  EXPECT_EQ(launched(100, options).covered, launched(100).covered);
  options = {};
  options.threads = 2;
  EXPECT_EQ(launched(100, options).covered, launched(100).covered);
}

TEST(Coverage, CanBeLeftOut) {
  MachineOptions options;
  options.cover = false;
  EXPECT_TRUE(launched(1, options).covered.empty());
}

// Regions of reductions and scans, and selects between floats; integers do not count.
TEST(Coverage, CountsWhatMakesResults) {
  const Kernel kernel = kernel_of(R"(
module {
  tt.func public @sum(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
    %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32> loc(#l1)
    %p = tt.get_program_id x : i32 loc(#l1)
    %ps = tt.splat %p : i32 -> tensor<16xi32> loc(#l1)
    %i = arith.addi %r, %ps : tensor<16xi32> loc(#l1)
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>> loc(#l1)
    %xp = tt.addptr %xs, %i : tensor<16x!tt.ptr<f32>>, tensor<16xi32> loc(#l1)
    %v = tt.load %xp : tensor<16x!tt.ptr<f32>> loc(#l2)
    %m = arith.cmpi slt, %i, %r : tensor<16xi32> loc(#l3)
    %chosen = arith.select %m, %v, %v : tensor<16xi1>, tensor<16xf32> loc(#l4)
    %index = arith.select %m, %i, %r : tensor<16xi1>, tensor<16xi32> loc(#l5)
    %f = arith.sitofp %index : tensor<16xi32> to tensor<16xf32> loc(#l6)
    %both = arith.maxnumf %chosen, %f : tensor<16xf32> loc(#l7)
    %sum = "tt.reduce"(%both) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32 loc(#l8)
      tt.reduce.return %s : f32 loc(#l8)
    }) : (tensor<16xf32>) -> f32 loc(#l9)
    tt.store %out, %sum : !tt.ptr<f32> loc(#l10)
    tt.return loc(#l10)
  }
}
#l1 = loc("kernel.py":1:1)
#l2 = loc("kernel.py":2:1)
#l3 = loc("kernel.py":3:1)
#l4 = loc("kernel.py":4:1)
#l5 = loc("kernel.py":5:1)
#l6 = loc("kernel.py":6:1)
#l7 = loc("kernel.py":7:1)
#l8 = loc("standard.py":8:1)
#l9 = loc("kernel.py":9:1)
#l10 = loc("kernel.py":10:1)
)");
  Memory memory;
  Array<float> x(memory, std::vector<float>(16, 1), "x"), out(memory, std::vector<float>(1, 0), "out");
  const Argument arguments[] = {x.argument(), out.argument()};
  EXPECT_EQ(kernel.launch({1, 1, 1}, arguments, memory).covered, (Positions{{2, 1}, {4, 1}, {7, 1}, {9, 1}, {10, 1}}));
}

TEST(Coverage, NotesWhichSideOfASelectTheArgumentsChoose) {
  const Kernel kernel = kernel_of(R"(
module {
  tt.func public @choose(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
    %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32> loc(#l1)
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>> loc(#l1)
    %xp = tt.addptr %xs, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32> loc(#l1)
    %os = tt.splat %out : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>> loc(#l1)
    %op = tt.addptr %os, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32> loc(#l1)
    %v = tt.load %xp : tensor<16x!tt.ptr<f32>> loc(#l2)
    %w = arith.addf %v, %v : tensor<16xf32> loc(#l3)
    %limit = arith.constant 100 : i32 loc(#l1)
    %large = arith.cmpi sgt, %n, %limit : i32 loc(#l4)
    %larges = tt.splat %large : i1 -> tensor<16xi1> loc(#l4)
    %chosen = arith.select %larges, %v, %w : tensor<16xi1>, tensor<16xf32> loc(#l5)
    tt.store %op, %chosen : tensor<16x!tt.ptr<f32>> loc(#l6)
    tt.return loc(#l1)
  } loc(#l1)
} loc(#l1)
#l1 = loc("kernel.py":1:1)
#l2 = loc("kernel.py":2:1)
#l3 = loc("kernel.py":3:1)
#l4 = loc("kernel.py":4:1)
#l5 = loc("kernel.py":5:1)
#l6 = loc("kernel.py":6:1)
)");
  Memory memory;
  Array<float> x(memory, std::vector<float>(16, 1), "x"), out(memory, std::vector<float>(16, 0), "out");
  const auto covered = [&](std::int64_t n) {
    const Argument arguments[] = {x.argument(), out.argument(), n};
    return kernel.launch({1, 1, 1}, arguments, memory).covered;
  };
  EXPECT_EQ(covered(1), (Positions{{2, 1}, {3, 1}, {5, 1}, {5, 1, 2}, {6, 1}}));
  EXPECT_EQ(covered(1000), (Positions{{2, 1}, {3, 1}, {5, 1}, {5, 1, 1}, {6, 1}}));
}

// What a launch stored, for each storage by the owner's own number, scaled from the sample to the grid.
// Adds x[i] for i below n, one after the other: the sum is handed on (line 3); writes them all once more in a loop that
// hands nothing on (line 6).
const char* const kLoops = R"(
#file = loc("kernel.py":1:0)
module {
  tt.func public @loops(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
    %c0 = arith.constant 0 : i32 loc(#l2)
    %c1 = arith.constant 1 : i32 loc(#l2)
    %zero = arith.constant 0.000000e+00 : f32 loc(#l2)
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) : i32 {
      %xp = tt.addptr %x, %i : !tt.ptr<f32>, i32 loc(#l4)
      %v = tt.load %xp : !tt.ptr<f32> loc(#l4)
      %s = arith.addf %acc, %v : f32 loc(#l5)
      scf.yield %s : f32 loc(#l5)
    } loc(#l3)
    scf.for %i = %c0 to %n step %c1 : i32 {
      %op = tt.addptr %out, %i : !tt.ptr<f32>, i32 loc(#l7)
      tt.store %op, %sum : !tt.ptr<f32> loc(#l7)
    } loc(#l6)
    tt.return loc(#l7)
  }
}
#l2 = loc("kernel.py":2:1)
#l3 = loc("kernel.py":3:1)
#l4 = loc("kernel.py":4:1)
#l5 = loc("kernel.py":5:1)
#l6 = loc("kernel.py":6:1)
#l7 = loc("kernel.py":7:1)
)";

// The same sum by a while.
const char* const kWhile = R"(
#file = loc("kernel.py":1:0)
module {
  tt.func public @loops(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
    %c0 = arith.constant 0 : i32 loc(#l2)
    %c1 = arith.constant 1 : i32 loc(#l2)
    %zero = arith.constant 0.000000e+00 : f32 loc(#l2)
    %end:2 = scf.while (%i = %c0, %acc = %zero) : (i32, f32) -> (i32, f32) {
      %go = arith.cmpi slt, %i, %n : i32 loc(#l3)
      scf.condition(%go) %i, %acc : i32, f32 loc(#l2)
    } do {
    ^bb0(%j: i32, %sum: f32):
      %xp = tt.addptr %x, %j : !tt.ptr<f32>, i32 loc(#l4)
      %v = tt.load %xp : !tt.ptr<f32> loc(#l4)
      %s = arith.addf %sum, %v : f32 loc(#l5)
      %next = arith.addi %j, %c1 : i32 loc(#l5)
      scf.yield %next, %s : i32, f32 loc(#l5)
    } loc(#l3)
    tt.store %out, %end#1 : !tt.ptr<f32> loc(#l7)
    tt.return loc(#l7)
  }
}
#l2 = loc("kernel.py":2:1)
#l3 = loc("kernel.py":3:1)
#l4 = loc("kernel.py":4:1)
#l5 = loc("kernel.py":5:1)
#l7 = loc("kernel.py":7:1)
)";

TEST(Coverage, NotesALoopsSecondAndThirdRoundWhereItHandsValuesOn) {
  constexpr int kSecond = SourcePosition::kSecondRound, kThird = SourcePosition::kThirdRound;
  for (const char* loop : {kLoops, kWhile}) {
    const Kernel kernel = kernel_of(loop);
    const auto covered = [&](std::int64_t n) {
      Memory memory;
      Array<float> x(memory, std::vector<float>(8, 1), "x"), out(memory, std::vector<float>(8, 0), "out");
      const Argument arguments[] = {x.argument(), out.argument(), n};
      return kernel.launch({1, 1, 1}, arguments, memory).covered;
    };
    EXPECT_EQ(covered(1), (Positions{{4, 1}, {5, 1}, {7, 1}}));
    EXPECT_EQ(covered(2), (Positions{{3, 1, kSecond}, {4, 1}, {5, 1}, {7, 1}}));
    for (const int rounds : {3, 4, 8})
      EXPECT_EQ(covered(rounds), (Positions{{3, 1, kSecond}, {3, 1, kThird}, {4, 1}, {5, 1}, {7, 1}}));
  }
}

TEST(Coverage, TrafficNamesTheOwnersStorage) {
  Memory memory;
  Array<float> x(memory, std::vector<float>(64, 1), "x"), out(memory, std::vector<float>(64, 0), "out");
  memory.at(x.index()).storage = 7;
  const Argument arguments[] = {x.argument(), out.argument(), std::int64_t{1}, 3.0};
  MachineOptions options;
  options.sample = 4;
  const LaunchOutcome outcome = kernel_of(kBranch).launch({64, 1, 1}, arguments, memory, options);
  ASSERT_EQ(outcome.counters.tensors.size(), 2u);
  EXPECT_EQ(outcome.counters.tensors[0].storage, 7);
  EXPECT_EQ(outcome.counters.tensors[1].storage, -1);
  EXPECT_EQ(outcome.counters.tensors[0].load_bytes, 64 * 4);
  EXPECT_EQ(outcome.counters.tensors[1].store_bytes, 64 * 4);
}

}  // namespace
}  // namespace tritonrl::machine
