#pragma once

#include <cstdint>
#include <span>

#include "machine/ir/ir.h"

namespace tritonrl::machine {

// What is executed for one result of an operation that works element by element: `in` are the operands' elements, all
// `count` of them, in their own types (type.h says how each is stored) and aligned to them. `out` never overlaps an
// operand in part; it may be one of them if its elements have the same size.
using Elementwise = void (*)(void* out, const void* const* in, std::int64_t count);

enum class ArithmeticClass : std::uint8_t {
  kNone,
  kInteger,
  kFloat,
  kSpecial
};  // special: exp, log, sqrt, division, …

struct ElementwiseOp {
  Elementwise run = nullptr;  // null: not an elementwise operation that is known here
  ArithmeticClass arithmetic = ArithmeticClass::kNone;
  double operations = 0;  // a result element's cost in instructions of that class
};

// arith.*, math.*, tt.{fp_to_fp, mulhiui, clampf, precise_sqrt, precise_divf, extern_elementwise, int_to_ptr,
// ptr_to_int, addptr}, for the given element types. `element` is what the pointers of tt.addptr point to.
// arith.constant, bitcasts and what moves data are not here. `result` picks one of two: arith.{mulsi,mului}_extended
// (low, high) and arith.addui_extended (sum, overflow).
//
// Integers wrap; division by zero gives 0; shifts by the width or more give 0 or the sign. Floats are rounded once, to
// nearest even, also where they are calculated in a wider type; conversions to integers saturate and to fp8 give the
// largest finite number, as the GPU's do. Results do not depend on how wide this machine's vectors are.
ElementwiseOp find_elementwise(const Operation& op, std::span<const Scalar> in, Scalar out, Scalar element,
                               int result = 0);

}  // namespace tritonrl::machine
