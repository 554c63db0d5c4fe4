#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "program/program.h"

namespace tritonrl::program {

// Arithmetic by what is done, not by whose name it bears: an operator counts as the core operations that it is made of,
// so that a fused one and the same written out come to the same.
enum class WorkKind : std::uint8_t {
  kContraction,  // operations of products, convolutions, transforms and factorisations
  kSpecial,      // elements that go through exp, log, tanh, pow and their like
  kReduced,      // elements that are summed or compared into fewer
  kPointwise,    // elements of plain arithmetic
  kOrdered,      // elements that are sorted, scanned or searched
  kMoved,        // elements that are only put elsewhere
};
inline constexpr std::size_t kWorkKinds = 6;

std::string_view to_string(WorkKind kind);  // "special functions"

// By kind: how much one pass over the data is, and how many passes there are. A normalisation reduces its input twice,
// as if mean and deviation were calls of their own.
struct PassWork {
  double each = 0;
  int passes = 1;
  double hidden = 0;  // work of further passes that it may stand for: where somebody writes the operator out
};
using Work = std::array<PassWork, kWorkKinds>;

// Nothing for views, allocations and fills, and for what the table does not know.
Work work_of(const Program& program, const AtenCall& call);

}  // namespace tritonrl::program
