#pragma once

#include <utility>

#include "machine/ir/cursor.h"
#include "machine/ir/ir.h"

namespace tritonrl::machine {

// "dense<1.0> : tensor<64xf32>", with a value for all, nested lists in brackets or a blob in hexadecimal. As many bits
// as the type has elements, or one.
std::pair<Dense, Type> read_dense(IrCursor& cursor, std::int64_t max_elements);

}  // namespace tritonrl::machine
