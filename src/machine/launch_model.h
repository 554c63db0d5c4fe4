#pragma once

#include <array>
#include <cstdint>

#include "machine/counters.h"
#include "program/target.h"

namespace tritonrl::base {
class FieldVisitor;
}

namespace tritonrl::machine {

// What a compiled kernel asks of the chip; the compiler says (python::CompiledKernel). Zero: not known, a usual value
// is taken.
struct KernelResources {
  int num_warps = 4;
  int num_stages = 3;
  int registers = 0;              // of a thread
  std::int64_t shared_bytes = 0;  // of a program
  std::int64_t stack_bytes = 0;   // of a thread, in memory: spilled registers
  // Part of the bytes copied into shared memory that are copied element by element: how Triton transposes a float32
  // operand for the matrix units, which want it along the summed dimension.
  double narrow_copies = 0;
};

// The modelled time of one launch, taken apart. Each part alone would take that long; what a launch takes is somewhat
// more than the longest.
struct LaunchTime {
  double seconds = 0;  // the whole, target.launch_overhead included
  double memory = 0;   // DRAM: what is touched at all, and what is read again after more than the L2 holds
  double l2 = 0;       // second-level cache: what each program touches, scattered sectors at a higher price
  double l1 = 0;       // sectors through the SMs' load and store units
  double copies = 0;   // into shared memory, element by element
  double arithmetic = 0;
  double matrix = 0;
  double latency = 0;  // what one program waits for, times the waves of programs
  double atomics = 0;
  double occupancy = 0;  // programs at once on one SM
  double waves = 0;      // programs / programs at once on the chip, rounded up
  void fields(base::FieldVisitor& field);
};

// A part of LaunchTime by name, as a person would say it.
struct Bound {
  const char* name;
  double seconds;
};
// All parts, the longest first: what bounds the launch.
std::array<Bound, 8> bounds_of(const LaunchTime& time);

LaunchTime modelled_time(const Counters& counters, const KernelResources& resources, const program::Target& target);

}  // namespace tritonrl::machine
