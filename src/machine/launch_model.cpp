#include "machine/launch_model.h"

#include <algorithm>
#include <cmath>

namespace tritonrl::machine {
namespace {

constexpr double kSector = 32;
constexpr int kWarp = 32;
constexpr int kMaxProgramsPerSm = 32;
constexpr int kUsualRegisters = 64;

// Fitted on an H200 (bench/modelled_times holds them against measured times). Rates are relative to the target's own
// figures, so that they carry over to other chips.
constexpr double kL2OverMemory = 2.5;          // bandwidth of the second-level cache
constexpr double kScattered = 2.5;             // what an unused byte of a sector costs there, beyond the sector itself
constexpr double kL1BytesPerClock = 64;        // of one SM
constexpr double kNarrowBytesPerClock = 5.8;   // of one SM: copies of four bytes, most of them to the same bank
constexpr double kSpecialWeight = 1;           // of a special operation against a float one: most are folded or overlap
constexpr double kIntegerWeight = 0.15;        // compilers fold most address arithmetic
constexpr double kMatrixPeak = 0.85;           // of a rate, with tiles of any size
constexpr double kHalfRateTile = 4.5e5;        // operations of one dot that reach half of that
constexpr double kFloatDots = 0.45;            // of the rate, for dots on the ordinary units
constexpr double kLoadLatency = 0.6e-6;        // of a block load that the next one waits for
constexpr double kUnrolledLoads = 0.2;         // part of it where a thread loads so little that the compiler unrolls
constexpr double kUnrolledBytes = 32;          // of a thread, from which on it does not
constexpr double kDotLatency = 0.32e-6;        // of one turn of a pipelined loop around a dot
constexpr double kReductionLatency = 0.33e-6;  // across the warps of a program
constexpr double kFill = 0.7e-6;               // until all SMs are at work
constexpr double kAtomicsPerSecond = 2.4e9;    // on one address
constexpr double kIdleStack = 64;   // bytes of a thread: the slow path of a sine has some, and hardly takes it
constexpr double kSmoothing = 2.5;  // parts overlap, but not wholly

int threads_of(const KernelResources& resources) {
  return std::max(resources.num_warps, 1) * kWarp;
}

double programs_per_sm(const KernelResources& resources, const program::Target& target) {
  const int threads = threads_of(resources);
  const int registers = resources.registers > 0 ? resources.registers : kUsualRegisters;
  double limit = std::min<double>(kMaxProgramsPerSm, target.max_threads_per_sm / threads);
  limit = std::min(limit, std::floor(static_cast<double>(target.registers_per_sm) / (registers * threads)));
  if (resources.shared_bytes > 0) {
    limit = std::min(limit, std::floor(static_cast<double>(target.shared_memory_per_block + 1024) /
                                       static_cast<double>(resources.shared_bytes + 1024)));
  }
  return std::max(limit, 1.0);
}

struct Totals {
  double unique = 0, fresh = 0, sectors = 0, loaded = 0, asked = 0;  // bytes
};

Totals totals_of(const Counters& counters) {
  Totals out;
  for (const TensorTraffic& tensor : counters.tensors) {
    out.unique += tensor.unique_load_bytes + tensor.unique_store_bytes;
    out.fresh += kSector * (tensor.fresh_load_sectors + tensor.fresh_store_sectors);
    out.sectors += kSector * (tensor.load_sectors + tensor.store_sectors);
    out.loaded += tensor.load_bytes;
    out.asked += tensor.load_bytes + tensor.store_bytes;
  }
  return out;
}

// Bytes that programs load again from DRAM: between both loads all that run at once touched more than the second-level
// cache holds. Beyond twice as much nothing is left of it.
double far_bytes(const Counters& counters, double at_once, const program::Target& target) {
  const auto cache = static_cast<double>(target.l2_bytes);
  double out = 0;
  for (std::size_t i = 0; i < counters.loaded_again.size(); ++i) {
    const double between = kSector * std::ldexp(1.0, static_cast<int>(i)) * at_once;
    if (cache > 0) out += kSector * counters.loaded_again[i] * std::clamp(between / cache - 1, 0.0, 1.0);
  }
  return out;
}

double matrix_seconds(const Counters& counters, const program::Target& target) {
  double all = 0;
  for (const double ops : counters.dot_ops) all += ops;
  const double tile = all / std::max(1.0, counters.dots);
  double out = 0;
  for (std::size_t i = 0; i < counters.dot_ops.size(); ++i) {
    if (counters.dot_ops[i] <= 0) continue;
    const auto precision = static_cast<program::Precision>(i);
    const bool ordinary = precision == program::Precision::kFp32 || precision == program::Precision::kFp64;
    const double rate = program::rate_of(target, precision);
    out += counters.dot_ops[i] / (rate * (ordinary ? kFloatDots : kMatrixPeak * tile / (tile + kHalfRateTile)));
  }
  return out;
}

// Of the program that waits longest.
double latency_of_one(const Counters& counters, const KernelResources& resources, double loaded) {
  const auto programs = static_cast<double>(std::max<std::int64_t>(counters.programs, 1));
  const double reductions = kReductionLatency * counters.reductions / programs;
  if (counters.dots > 0) return kLoadLatency + kDotLatency * counters.dots / programs + reductions;
  const double of_thread = loaded / std::max(1.0, counters.loads) / threads_of(resources);
  return kLoadLatency * std::clamp(of_thread / kUnrolledBytes, kUnrolledLoads, 1.0) * counters.longest_loads +
         reductions;
}

}  // namespace

std::array<Bound, 8> bounds_of(const LaunchTime& time) {
  std::array<Bound, 8> parts = {{{"memory", time.memory},
                                 {"L2", time.l2},
                                 {"load units", time.l1},
                                 {"arithmetic", time.arithmetic},
                                 {"matrix units", time.matrix},
                                 {"latency", time.latency},
                                 {"atomics", time.atomics},
                                 {"narrow copies", time.copies}}};
  std::sort(parts.begin(), parts.end(), [](const Bound& a, const Bound& b) { return a.seconds > b.seconds; });
  return parts;
}

LaunchTime modelled_time(const Counters& counters, const KernelResources& resources, const program::Target& target) {
  LaunchTime time;
  const auto programs = static_cast<double>(std::max<std::int64_t>(counters.programs, 1));
  const double sms = target.sm_count;
  time.occupancy = programs_per_sm(resources, target);
  time.waves = std::ceil(programs / (time.occupancy * sms));
  const double busy = std::min(1.0, programs / sms);
  // With few programs the SM that gets one more keeps the others waiting.
  const double uneven = programs < 4 * sms ? std::ceil(programs / sms) / std::max(1.0, programs / sms) : 1;

  const Totals bytes = totals_of(counters);
  const double bandwidth = target.memory_bandwidth * target.copy_efficiency;
  const double clocks = target.clock_khz * 1e3 * sms * busy;  // of all SMs that work
  const double unused = bytes.sectors > 0 ? 1 - std::min(1.0, bytes.asked / bytes.sectors) : 0;
  const double at_once = std::min(programs, time.occupancy * sms);
  time.memory = (bytes.unique + far_bytes(counters, at_once, target)) / bandwidth;
  // each spilled byte is written and read once at least
  const double stack = std::max(0.0, static_cast<double>(resources.stack_bytes) - kIdleStack);
  const double spilled = 2 * stack * threads_of(resources) * programs;
  time.l2 = (bytes.fresh * (1 + kScattered * unused) + spilled) / (bandwidth * kL2OverMemory);
  time.l1 = bytes.sectors / (clocks * kL1BytesPerClock);
  time.copies = resources.narrow_copies * bytes.loaded / (clocks * kNarrowBytesPerClock) * uneven;

  const double float_ops =
      counters.float_ops + kSpecialWeight * counters.special_ops + kIntegerWeight * counters.integer_ops;
  time.arithmetic = (float_ops / (target.fp32 / 2) + counters.double_ops / (target.fp64 / 2)) / busy;
  time.matrix = matrix_seconds(counters, target) * uneven / busy;
  time.latency = latency_of_one(counters, resources, bytes.loaded) * time.waves;
  time.atomics = counters.atomic_conflicts / kAtomicsPerSecond;

  double power = 0;
  for (const double part :
       {time.memory, time.l2, time.l1, time.copies, time.arithmetic, time.matrix, time.latency, time.atomics}) {
    power += std::pow(part, kSmoothing);
  }
  time.seconds = target.launch_overhead + kFill * busy + std::pow(power, 1 / kSmoothing);
  return time;
}

}  // namespace tritonrl::machine
