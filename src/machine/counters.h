#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "program/cost.h"

namespace tritonrl::base {
class FieldVisitor;
}

namespace tritonrl::machine {

// What a launch did to one tensor's memory. Sectors are 32 bytes, counted as warps of the target would touch them: the
// lanes of one warp that fall into one sector share it.
struct TensorTraffic {
  std::string tensor;
  int storage = -1;        // of the program, where a runner made the launch; -1: not known
  std::int64_t bytes = 0;  // of its storage
  double load_sectors = 0, store_sectors = 0;
  double fresh_load_sectors = 0, fresh_store_sectors = 0;  // of them: not yet touched by the same program
  double load_bytes = 0, store_bytes = 0;                  // asked for by unmasked lanes
  double unique_load_bytes = 0, unique_store_bytes = 0;    // touched at all, in whole sectors
  double atomic_bytes = 0;                                 // of store_bytes: updated atomically
  double most_store_bytes = 0;                             // if all programs stored as much as the one that stored most
  void fields(base::FieldVisitor& field);
};

// Of a whole launch. Where only a sample of the programs was executed the figures are scaled to all of them.
struct Counters {
  std::int64_t programs = 0;  // of the grid
  std::int64_t executed = 0;  // of them
  std::vector<TensorTraffic> tensors;
  std::array<double, 7> dot_ops = {};  // by program::Precision; a multiply-add is two
  double integer_ops = 0, float_ops = 0, double_ops = 0, special_ops = 0;
  double loads = 0, stores = 0, atomics = 0, dots = 0, reductions = 0;  // block operations, of all programs
  double longest_loads = 0;     // block loads of the program that executes most of them
  double atomic_conflicts = 0;  // lanes of atomics beyond the first on the same address
  // Sectors that a program loads again, by how many sectors it touched in between: 2 to the power of the index, up to
  // twice that. Those of tens of kilobytes are no longer near where all programs at once read as much.
  std::array<double, 32> loaded_again = {};
  double longest_steps = 0;  // block operations of the longest program

  double sectors() const;     // loads and stores
  double coalescing() const;  // bytes asked for / bytes of the sectors that hold them; 1 if nothing was accessed
  void fields(base::FieldVisitor& field);
};

}  // namespace tritonrl::machine
