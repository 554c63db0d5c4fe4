#pragma once

#include <string>
#include <utility>
#include <vector>

#include "machine/ir/cursor.h"
#include "machine/ir/ir.h"

namespace tritonrl::machine {

using Attributes = std::vector<std::pair<std::string, Attribute>>;

// Reads one attribute's value. What ir.h has no form for (types, maps, dictionaries, lists of other things) is its
// text.
Attribute read_attribute(IrCursor& cursor, std::int64_t max_elements);

// "{key = value, unit}" from its opening brace on; appends.
void read_attribute_dictionary(IrCursor& cursor, std::int64_t max_elements, Attributes& attributes);

// The value of a constant with its type: "dense<…> : tensor<…>", "-1 : i32", "true".
std::pair<Dense, Type> read_constant(IrCursor& cursor, std::int64_t max_elements);

}  // namespace tritonrl::machine
