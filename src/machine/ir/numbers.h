#pragma once

#include <cstdint>
#include <optional>

#include "machine/ir/cursor.h"
#include "machine/ir/type.h"

namespace tritonrl::machine {

// The bits of a number as written, in an element's own width: decimal and hexadecimal integers, decimal floats, the
// bits of a float in hexadecimal. Nothing if it does not fit the type.
std::optional<std::uint64_t> encode_number(const IrNumber& number, Scalar scalar);

// All ones in the width of a scalar.
std::uint64_t mask_of(Scalar scalar);

}  // namespace tritonrl::machine
