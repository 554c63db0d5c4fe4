#pragma once

#include "program/cost_operands.h"

namespace tritonrl::program {

// What program/work.h cannot tell from an operator's kind: calls of kinds that move data or make it, and do arithmetic
// all the same, by their arguments and types.

// Elements of several places end up in one: index_put with accumulate, scatter with a reduction, gradients of lookups
// and of padding, bincount with weights.
bool adds_up(const Operands& operands);

// A cast that is no other spelling of the same number: to whole numbers (a truncation), to fewer bits of them (a
// remainder), to flags (a comparison). Between floating types casts are free: honest kernels are surrounded by them.
bool changes_values(const Operands& operands);

// x[flags] = 0: a choice by elements, as where.
bool writes_number_by_flags(const Operands& operands);

// A fill with the contents of a tensor, not with a number of the text: fill_(sum), linspace between two tensors.
bool fills_from_tensors(const Operands& operands);

bool is_complex(const Operands& operands);

constexpr double kComplexProducts = 4;  // products of real numbers in one of complex ones

// Passes over pairs of numbers that a pointwise call on complex ones is: four products and two sums.
struct ComplexPasses {
  int special = 0, pointwise = 0;
};
ComplexPasses complex_passes(const Operands& operands, bool special);

// Operations of factorisations and solvers: a solver applies each coefficient to each column of the right side, and
// factorises first where it is not given the factors.
double linalg_ops(const Operands& operands);

}  // namespace tritonrl::program
