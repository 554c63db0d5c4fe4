#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tritonrl::program {

// A GPU as the cost model sees it. Rates are the vendor's peaks without sparsity, in operations a second (a
// multiply-add is two); what is reached of them is in the two efficiencies.
struct Target {
  std::string name;         // "h200"
  std::string triton_arch;  // "sm_90"

  double memory_bandwidth = 0;   // bytes a second
  double host_bandwidth = 0;     // bytes a second between host and GPU, one direction
  double copy_efficiency = 0;    // part of memory_bandwidth that a large copy reaches
  double matrix_efficiency = 0;  // part of a rate that a large matrix product reaches
  double launch_overhead = 0;    // seconds from the start of one small kernel to the start of the next
  double start_overhead = 0;     // seconds that the first kernel of a program takes more

  double fp64 = 0, fp32 = 0;                               // ordinary units
  double tf32 = 0, bf16 = 0, fp16 = 0, fp8 = 0, int8 = 0;  // matrix units; 0: the chip has no such

  int sm_count = 0;
  std::int64_t shared_memory_per_block = 0;  // bytes, the most that a kernel may ask for
  std::int64_t registers_per_sm = 0;
  int max_threads_per_sm = 0;
  std::int64_t l2_bytes = 0;

  // what the chip says of itself when a program asks
  std::string device_name;
  int capability_major = 0, capability_minor = 0;
  std::int64_t memory_bytes = 0;
  int clock_khz = 0;  // highest boost clock
};

// By name ("h200", "h100", "a100", "l40s", "rtx4090") or architecture ("sm_90": h200, "sm_80": a100, "sm_89": l40s).
// UserError with the known names for any other. Lives as long as the program.
const Target& find_target(std::string_view name);

std::vector<std::string> target_names();

}  // namespace tritonrl::program
