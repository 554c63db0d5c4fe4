#pragma once

#include <span>
#include <string>
#include <string_view>

#include "program/operator_kind.h"
#include "program/schema.h"
#include "program/written_out.h"

namespace tritonrl::program {

struct Operator : Schema {
  OperatorKind kind = OperatorKind::kPointwise;
  // Arithmetic operations for each element of the largest tensor that the call touches. Other kinds count other
  // elements: pool, each element of each window; sort and fourier, also times log2 of the length; linalg, the factor of
  // m·n·min(m, n) of each matrix; attention, each score; recurrent, each gate; matmul and convolution, each product.
  double ops_per_element = 0;
  bool random = false;  // the result depends on the generator, whatever the kind
  // Of what torch has one call for and people write out: activations, reductions, normalisations, losses.
  WrittenOut written;
};

// The allow-list: the operator of this name ("aten::add.Tensor", "aten::relu") or null. Lives as long as the program;
// safe from any thread. The first call reads the schemas of operator_entries.h (some milliseconds).
const Operator* find_operator(std::string_view name);
std::span<const Operator> all_operators();

// Whether the call takes numbers from the generator: a dropout of nothing, or outside training, does not.
bool draws_random(const AtenCall& call);

// "add" of "aten::add_.Tensor": without namespace, overload and the in-place underscore.
std::string_view plain_name(std::string_view op);

}  // namespace tritonrl::program
