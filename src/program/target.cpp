#include "program/target.h"

#include <array>

#include "base/error.h"

namespace tritonrl::program {
namespace {

constexpr double kTera = 1e12;
constexpr double kGiga = 1e9;
constexpr std::int64_t kMiB = 1 << 20;

// Measured on an H200 with torch: a device copy moved 4.3 of 4.8 TB/s (bytes read and written), an 8192³ bf16 product
// of random data ran at 788 of 989 TFLOP/s. The other chips are taken to reach the same parts of their peaks.
constexpr double kCopyEfficiency = 4.3 / 4.8;
constexpr double kMatrixEfficiency = 788.0 / 989.0;
// Measured on an H200, small kernels in a CUDA graph: one takes 3.6 µs between two events, each further one 1.6 to 2.2.
// The host is taken to keep up.
constexpr double kLaunchOverhead = 1.8e-6;
constexpr double kStartOverhead = 1.8e-6;

// Shared memory, registers and threads: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"
// (9.0: 227 KB, 2048 threads; 8.0: 163 KB, 2048; 8.9: 99 KB, 1536; 65,536 registers for all).
std::array<Target, 5> make_targets() {
  // NVIDIA H200 datasheet, SXM column, tensor figures halved (it quotes them with sparsity); L2 as the driver
  // reports it.
  Target h200{.name = "h200",
              .triton_arch = "sm_90",
              .memory_bandwidth = 4.8 * kTera,
              .host_bandwidth = 64 * kGiga,  // PCIe 5.0 x16
              .fp64 = 34 * kTera,
              .fp32 = 67 * kTera,
              .tf32 = 494.5 * kTera,
              .bf16 = 989 * kTera,
              .fp16 = 989 * kTera,
              .fp8 = 1979 * kTera,
              .int8 = 1979 * kTera,
              .sm_count = 132,
              .shared_memory_per_block = 232448,
              .max_threads_per_sm = 2048,
              .l2_bytes = 60 * kMiB,
              .device_name = "NVIDIA H200",
              .capability_major = 9,
              .capability_minor = 0,
              .memory_bytes = std::int64_t{141} * 1000 * 1000 * 1000,
              .clock_khz = 1980'000};
  // NVIDIA H100 datasheet, SXM column, tensor figures halved; SM count and L2: H100 architecture whitepaper.
  Target h100 = h200;
  h100.name = "h100";
  h100.memory_bandwidth = 3.35 * kTera;
  h100.l2_bytes = 50 * kMiB;
  h100.device_name = "NVIDIA H100 80GB HBM3";
  h100.memory_bytes = std::int64_t{80} * 1000 * 1000 * 1000;
  // NVIDIA A100 datasheet, 80 GB SXM column; SM count and L2: A100 architecture whitepaper.
  Target a100{.name = "a100",
              .triton_arch = "sm_80",
              .memory_bandwidth = 2.039 * kTera,
              .host_bandwidth = 32 * kGiga,  // PCIe 4.0 x16
              .fp64 = 9.7 * kTera,
              .fp32 = 19.5 * kTera,
              .tf32 = 156 * kTera,
              .bf16 = 312 * kTera,
              .fp16 = 312 * kTera,
              .fp8 = 0,
              .int8 = 624 * kTera,
              .sm_count = 108,
              .shared_memory_per_block = 166912,
              .max_threads_per_sm = 2048,
              .l2_bytes = 40 * kMiB,
              .device_name = "NVIDIA A100-SXM4-80GB",
              .capability_major = 8,
              .capability_minor = 0,
              .memory_bytes = std::int64_t{80} * 1000 * 1000 * 1000,
              .clock_khz = 1410'000};
  // NVIDIA L40S datasheet (figures without the asterisk); fp64 is 1/64 of fp32 (Ada whitepaper); L2 as the driver
  // reports it.
  Target l40s{.name = "l40s",
              .triton_arch = "sm_89",
              .memory_bandwidth = 864 * kGiga,
              .host_bandwidth = 32 * kGiga,
              .fp64 = 91.6 / 64 * kTera,
              .fp32 = 91.6 * kTera,
              .tf32 = 183 * kTera,
              .bf16 = 362.05 * kTera,
              .fp16 = 362.05 * kTera,
              .fp8 = 733 * kTera,
              .int8 = 733 * kTera,
              .sm_count = 142,
              .shared_memory_per_block = 101376,
              .max_threads_per_sm = 1536,
              .l2_bytes = 96 * kMiB,
              .device_name = "NVIDIA L40S",
              .capability_major = 8,
              .capability_minor = 9,
              .memory_bytes = std::int64_t{48} * 1000 * 1000 * 1000,
              .clock_khz = 2520'000};
  // NVIDIA Ada GPU architecture whitepaper, appendix A: GeForce RTX 4090, dense, fp32 accumulation.
  Target rtx4090 = l40s;
  rtx4090.name = "rtx4090";
  rtx4090.memory_bandwidth = 1008 * kGiga;
  rtx4090.fp64 = 82.6 / 64 * kTera;
  rtx4090.fp32 = 82.6 * kTera;
  rtx4090.tf32 = 82.6 * kTera;
  rtx4090.bf16 = 165.2 * kTera;
  rtx4090.fp16 = 165.2 * kTera;
  rtx4090.fp8 = 330.3 * kTera;
  rtx4090.int8 = 660.6 * kTera;
  rtx4090.sm_count = 128;
  rtx4090.l2_bytes = 72 * kMiB;
  rtx4090.device_name = "NVIDIA GeForce RTX 4090";
  rtx4090.memory_bytes = std::int64_t{24} * 1000 * 1000 * 1000;
  std::array<Target, 5> targets = {h200, h100, a100, l40s, rtx4090};
  for (Target& target : targets) {
    target.copy_efficiency = kCopyEfficiency;
    target.matrix_efficiency = kMatrixEfficiency;
    target.launch_overhead = kLaunchOverhead;
    target.start_overhead = kStartOverhead;
    target.registers_per_sm = 65536;
  }
  return targets;
}

const std::array<Target, 5>& targets() {
  static const std::array<Target, 5> kTargets = make_targets();
  return kTargets;
}

}  // namespace

const Target& find_target(std::string_view name) {
  // In the table's order, so the first chip of an architecture stands for it.
  for (const Target& target : targets()) {
    if (target.name == name || target.triton_arch == name) return target;
  }
  std::string known;
  for (const Target& target : targets()) known += (known.empty() ? "" : ", ") + target.name;
  throw base::UserError("program", "unknown target '" + std::string(name) + "'; known: " + known +
                                       "; or an architecture: sm_90, sm_89, sm_80");
}

std::vector<std::string> target_names() {
  std::vector<std::string> names;
  for (const Target& target : targets()) names.push_back(target.name);
  return names;
}

}  // namespace tritonrl::program
