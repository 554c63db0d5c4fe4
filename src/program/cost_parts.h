#pragma once

#include "program/cost.h"
#include "program/cost_operands.h"

namespace tritonrl::program {

// The parts that cost_of puts together.

struct Traffic {
  double read = 0, written = 0, host = 0;  // bytes
  bool none = false;                       // the call only makes views or takes memory
};
Traffic traffic_of(const Program& program, const Operands& operands);

// The arithmetic of the heavy kinds, and the steps that follow one another in a recurrent layer.
void add_matrix_work(const Operands& operands, const CostOptions& options, Cost* cost);

// The arithmetic of all other kinds.
double scalar_ops_of(const Operands& operands);

// What torch's own kernels make of a call that must do `cost`.
double eager_seconds(const Program& program, const Operands& operands, const Cost& cost, const Target& target);

}  // namespace tritonrl::program
