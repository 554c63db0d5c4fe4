#pragma once

#include "machine/ir/ir.h"

namespace tritonrl::machine {

// Makes sure of what reader.h guarantees; throws IrError (cursor.h) where it does not hold. Operations that work
// on values of types that the machine does not know become unknown themselves.
void validate(Module& module, std::int64_t max_operations);

}  // namespace tritonrl::machine
