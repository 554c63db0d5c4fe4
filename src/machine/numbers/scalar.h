#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tritonrl::machine {

// Element types of Triton IR. Values are kept in their own width: i1 as one byte 0 or 1, fp8 as its byte, pointers and
// index as eight bytes.
enum class Scalar : std::uint8_t {
  kNone,
  kI1,
  kI8,
  kI16,
  kI32,
  kI64,
  kIndex,       // MLIR's loop index; 64 bits
  kF8E4M3,      // f8E4M3FN
  kF8E5M2,      // f8E5M2
  kF8E4M3B15,   // f8E4M3B11FNUZ, which Triton uses for its fp8e4b15
  kF8E4M3FNUZ,  // f8E4M3FNUZ
  kF8E5M2FNUZ,  // f8E5M2FNUZ
  kF16,
  kBF16,
  kF32,
  kF64,
  kPointer,
};

int size_of(Scalar scalar);  // bytes in memory and in a value; 0 for kNone
bool is_float(Scalar scalar);
bool is_integer(Scalar scalar);        // kI1 to kIndex
std::string to_string(Scalar scalar);  // as the IR spells it: "f32"; pointers: "ptr"
// The element type spelled like that; kNone for what the machine does not know. Signed and unsigned spellings (si32,
// ui8, in descriptors) are the integer of that width.
Scalar scalar_named(std::string_view name);

}  // namespace tritonrl::machine
