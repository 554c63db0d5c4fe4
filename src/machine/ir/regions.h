#pragma once

#include <vector>

#include "machine/ir/ir.h"
#include "machine/ir/rules.h"

namespace tritonrl::machine {

// The operation's regions have the blocks that others rely on: at least one each, no more than one where control flow
// is the operation's own.
void check_region_shapes(const TypedOperation& op, Rule rule);

// Operations with regions or successors: what goes in and comes out of them has the types that it is received with.
// `region` is the one that the operation stands in.
void check_control(const TypedOperation& op, Rule rule, const Region& region);

// The operands from `first` on have these types.
void check_types(const TypedOperation& op, std::size_t first, const std::vector<Type>& types);

}  // namespace tritonrl::machine
