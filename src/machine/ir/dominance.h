#pragma once

#include <cstddef>
#include <vector>

#include "machine/ir/ir.h"

namespace tritonrl::machine {

// Which blocks of a region every way from its first block to another must pass.
class Dominance {
 public:
  explicit Dominance(const Region& region);

  bool reachable(std::size_t block) const { return order_[block] >= 0; }
  // Of reachable blocks; a block dominates itself.
  bool dominates(std::size_t above, std::size_t below) const;

 private:
  std::vector<int> order_;  // by block: its number in reverse postorder; -1: not reachable
  std::vector<int> above_;  // by number: the closest that dominates it
};

// Throws IrError where an operand may not have been computed when it is used: every definition comes before its uses on
// every way, and is visible where they stand. Successors exist.
void check_order(const Function& function);

}  // namespace tritonrl::machine
