#include "machine/launch_model.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace tritonrl::machine {
namespace {

const program::Target& h200() {
  return program::find_target("h200");
}

// A kernel that reads `bytes` once and writes as many, a block of 1024 floats a program.
Counters copy_of(double bytes) {
  Counters counters;
  counters.programs = static_cast<std::int64_t>(bytes / 4096);
  counters.executed = counters.programs;
  TensorTraffic from{.tensor = "x", .bytes = static_cast<std::int64_t>(bytes)};
  from.load_sectors = from.fresh_load_sectors = bytes / 32;
  from.load_bytes = from.unique_load_bytes = bytes;
  TensorTraffic to{.tensor = "y", .bytes = static_cast<std::int64_t>(bytes)};
  to.store_sectors = to.fresh_store_sectors = bytes / 32;
  to.store_bytes = to.unique_store_bytes = bytes;
  counters.tensors = {from, to};
  counters.loads = counters.stores = static_cast<double>(counters.programs);
  counters.longest_loads = 1;
  return counters;
}

// A product of `programs` tiles of 128 by 128 along 4096 in steps of 64.
Counters product_of(std::int64_t programs, program::Precision precision) {
  constexpr double kTile = 2.0 * 128 * 128 * 64, kSteps = 64;
  Counters counters;
  counters.programs = counters.executed = programs;
  counters.dots = kSteps * static_cast<double>(programs);
  counters.dot_ops[static_cast<std::size_t>(precision)] = counters.dots * kTile;
  counters.loads = 2 * counters.dots;
  counters.longest_loads = 2 * kSteps;
  return counters;
}

double seconds(const Counters& counters, const KernelResources& resources = {}, const char* target = "h200") {
  return modelled_time(counters, resources, program::find_target(target)).seconds;
}

TEST(LaunchModel, NothingTakesTheOverhead) {
  Counters counters;
  counters.programs = 1;
  EXPECT_NEAR(seconds(counters), h200().launch_overhead, 0.1e-6);
}

TEST(LaunchModel, ALargeCopyRunsAtTheBandwidthReached) {
  const double bytes = 512 << 20;
  const LaunchTime time = modelled_time(copy_of(bytes), {}, h200());
  const double floor = 2 * bytes / (h200().memory_bandwidth * h200().copy_efficiency);
  EXPECT_DOUBLE_EQ(time.memory, floor);
  EXPECT_GT(time.seconds, floor);
  EXPECT_LT(time.seconds, 1.25 * floor) << "a GiB in " << time.seconds * 1e6 << " us";
  // Half the bandwidth, twice the time.
  const double a100 = seconds(copy_of(bytes), {}, "a100");
  EXPECT_NEAR(a100 / time.seconds, h200().memory_bandwidth / program::find_target("a100").memory_bandwidth, 0.3);
}

TEST(LaunchModel, GrowsWithEveryKindOfWork) {
  const Counters base = copy_of(64 << 20);
  const std::vector<std::pair<std::string, std::function<void(Counters&)>>> more = {
      {"float", [](Counters& c) { c.float_ops = 1e10; }},
      {"double", [](Counters& c) { c.double_ops = 1e10; }},
      {"integer", [](Counters& c) { c.integer_ops = 1e11; }},
      {"special", [](Counters& c) { c.special_ops = 1e10; }},
      {"unique", [](Counters& c) { c.tensors[0].unique_load_bytes *= 2; }},
      {"fresh", [](Counters& c) { c.tensors[0].fresh_load_sectors *= 4; }},
      {"sectors", [](Counters& c) { c.tensors[0].load_sectors *= 8; }},
      {"dots", [](Counters& c) { c.dot_ops[static_cast<std::size_t>(program::Precision::kBf16)] = 1e11; }},
      {"chain", [](Counters& c) { c.longest_loads = 100; }},
      {"reductions", [](Counters& c) { c.reductions = 10 * static_cast<double>(c.programs); }},
      {"conflicts", [](Counters& c) { c.atomic_conflicts = 1e6; }},
  };
  for (const auto& [name, change] : more) {
    Counters counters = base;
    change(counters);
    EXPECT_GT(seconds(counters), 1.01 * seconds(base)) << name;
  }
}

// What is read again pays DRAM once more where all programs at once touched more than the L2 holds in between.
TEST(LaunchModel, FarReadsPayAgain) {
  const auto again = [](int between) {
    Counters counters = copy_of(512 << 20);
    counters.loaded_again[static_cast<std::size_t>(between)] = 512.0 * (1 << 20) / 32;
    return modelled_time(counters, {}, h200()).memory;
  };
  const double once = modelled_time(copy_of(512 << 20), {}, h200()).memory;
  EXPECT_DOUBLE_EQ(again(8), once);          // 8 KB
  EXPECT_NEAR(again(16) / once, 1.5, 1e-9);  // 2 MB, of a thousand programs
}

TEST(LaunchModel, SpilledRegistersCostTraffic) {
  const Counters counters = copy_of(512 << 20);
  EXPECT_DOUBLE_EQ(seconds(counters, {.stack_bytes = 40}), seconds(counters));
  EXPECT_GT(seconds(counters, {.stack_bytes = 512}), 2 * seconds(counters));
}

TEST(LaunchModel, ScatteredSectorsCostMoreThanTheirBytes) {
  Counters scattered = copy_of(64 << 20);
  // The same sectors, of which an eighth is used.
  for (TensorTraffic& tensor : scattered.tensors) {
    tensor.load_bytes /= 8;
    tensor.store_bytes /= 8;
  }
  EXPECT_GT(modelled_time(scattered, {}, h200()).l2, 2 * modelled_time(copy_of(64 << 20), {}, h200()).l2);
}

TEST(LaunchModel, OccupancyIsTheTightestLimit) {
  const Counters counters = copy_of(64 << 20);
  const auto occupancy = [&](KernelResources resources) {
    return modelled_time(counters, resources, h200()).occupancy;
  };
  EXPECT_EQ(occupancy({.num_warps = 4, .registers = 32}), 16) << "threads";
  EXPECT_EQ(occupancy({.num_warps = 1, .registers = 16}), 32) << "programs";
  EXPECT_EQ(occupancy({.num_warps = 4, .registers = 128}), 4) << "registers";
  EXPECT_EQ(occupancy({.num_warps = 4, .registers = 32, .shared_bytes = 100 << 10}), 2) << "shared memory";
  EXPECT_EQ(occupancy({.num_warps = 32, .registers = 255, .shared_bytes = 227 << 10}), 1) << "never none";
  EXPECT_EQ(occupancy({}), occupancy({.num_warps = 4, .registers = 64})) << "unknown: the usual";
}

TEST(LaunchModel, LatencyIsPaidOnceAWave) {
  Counters counters = copy_of(4 << 20);
  counters.longest_loads = 200;
  counters.programs = 132 * 16;
  const KernelResources resources = {.num_warps = 4, .registers = 32};
  const LaunchTime one = modelled_time(counters, resources, h200());
  EXPECT_EQ(one.waves, 1);
  counters.programs *= 3;
  counters.loads *= 3;
  for (TensorTraffic& tensor : counters.tensors) tensor.load_bytes *= 3;
  const LaunchTime three = modelled_time(counters, resources, h200());
  EXPECT_EQ(three.waves, 3);
  EXPECT_NEAR(three.latency, 3 * one.latency, 1e-9);
  // Fewer programs at once wait more often.
  EXPECT_GT(modelled_time(counters, {.num_warps = 4, .registers = 128}, h200()).latency, 3 * three.latency);
}

TEST(LaunchModel, ThreadsThatLoadLittleAreUnrolled) {
  Counters counters;
  counters.programs = 8;
  counters.longest_loads = 264;
  counters.loads = 8 * 264;
  TensorTraffic traffic{.tensor = "x", .bytes = 1 << 20};
  traffic.load_bytes = counters.loads * 512;
  counters.tensors = {traffic};
  const double narrow = modelled_time(counters, {}, h200()).latency;
  counters.tensors[0].load_bytes = counters.loads * 4096;
  EXPECT_GT(modelled_time(counters, {}, h200()).latency, 4 * narrow);
}

TEST(LaunchModel, ProductsFollowTheUnitAndTheTile) {
  using program::Precision;
  const double bf16 = seconds(product_of(1024, Precision::kBf16));
  EXPECT_LT(bf16, seconds(product_of(1024, Precision::kTf32)));
  EXPECT_LT(seconds(product_of(1024, Precision::kTf32)), seconds(product_of(1024, Precision::kFp32)));
  // The same operations in dots an eighth as large.
  Counters small = product_of(1024, Precision::kBf16);
  small.dots *= 8;
  EXPECT_GT(modelled_time(small, {}, h200()).matrix,
            1.5 * modelled_time(product_of(1024, Precision::kBf16), {}, h200()).matrix);
  // No faster than the chip.
  EXPECT_GT(bf16, product_of(1024, Precision::kBf16).dot_ops[4] / h200().bf16);
  // A chip without the unit widens.
  EXPECT_LT(seconds(product_of(1024, Precision::kFp8), {}, "a100"), 1);
}

TEST(LaunchModel, AnUnevenLastRoundKeepsTheChipWaiting) {
  const double even = modelled_time(product_of(132, program::Precision::kBf16), {}, h200()).matrix;
  EXPECT_NEAR(modelled_time(product_of(133, program::Precision::kBf16), {}, h200()).matrix, 2 * even, 0.01 * even);
  EXPECT_NEAR(modelled_time(product_of(66, program::Precision::kBf16), {}, h200()).matrix, even, 0.01 * even);
}

TEST(LaunchModel, NarrowCopiesAreSlow) {
  Counters counters = product_of(1024, program::Precision::kTf32);
  TensorTraffic traffic{.tensor = "b", .bytes = 1 << 24};
  traffic.load_bytes = counters.loads * 32768;
  traffic.load_sectors = traffic.load_bytes / 32;
  counters.tensors = {traffic};
  EXPECT_EQ(modelled_time(counters, {}, h200()).copies, 0);
  EXPECT_GT(seconds(counters, {.narrow_copies = 0.5}), 2 * seconds(counters));
}

}  // namespace
}  // namespace tritonrl::machine
