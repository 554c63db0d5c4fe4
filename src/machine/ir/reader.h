#pragma once

#include <string_view>

#include "base/result.h"
#include "machine/ir/ir.h"

namespace tritonrl::machine {

struct IrReaderOptions {
  int max_depth = 64;                                 // of nested regions
  std::int64_t max_elements = std::int64_t{1} << 24;  // of one tensor type
  std::int64_t max_operations = 1'000'000;  // of the text, and of a function with every call replaced by what it calls
};

// Reads the textual IR that Triton 3.6 and 3.7 print (`module.str()`), with or without locations, before or after their
// passes. The text is untrusted: whatever is wrong with it is a Failure that names line and column, never a crash.
//
// Operands are flat, in the order of the text:
//   tt.load ptr[, mask[, other]]          tt.store ptr, value[, mask]        tt.histogram source[, mask]
//   tt.atomic_rmw ptr, value[, mask]      tt.atomic_cas ptr, compare, value  tt.gather source, indices
//   tt.make_tensor_ptr base, shape…, strides…, offsets…                      tt.advance pointer, offsets…
//   tt.make_tensor_descriptor base, shape…, strides…                         tt.descriptor_load descriptor, indices…
//   tt.descriptor_store, tt.descriptor_reduce descriptor, indices…, value
//   tt.descriptor_gather descriptor, rows, column         tt.descriptor_scatter descriptor, rows, column, value
//   tt.dot_scaled a[, scale], b[, scale], c               scf.for lower, upper, step, initial values…
// Attributes (I integer, L list of integers, T text, B truth, U unit):
//   arith.constant value (Dense, scalars too)             arith.cmpi, arith.cmpf predicate T
//   tt.get_program_id, tt.get_num_programs axis I (0 to 2)
//   tt.load, tt.store cache T, evict T, isVolatile B, boundaryCheck L, padding I (1 zero, 2 NaN)
//   tt.make_tensor_descriptor padding I    tt.make_tensor_ptr order L          tt.descriptor_reduce kind T
//   tt.atomic_rmw rmw T, sem T, scope T    tt.atomic_cas sem T, scope T        tt.fp_to_fp rounding T
//   tt.dot inputPrecision T (missing: "ieee"), maxNumImpreciseAcc I            tt.clampf propagateNan T
//   tt.dot_scaled a_elem_type T, b_elem_type T, a_scale B, b_scale B, fastMath B, lhs_k_pack B, rhs_k_pack B
//   tt.expand_dims, tt.gather, tt.reduce, tt.scan axis I  tt.scan reverse B    tt.map_elementwise pack I
//   tt.make_range start I, end I           tt.trans order L                    tt.reshape allow_reorder U
//   tt.print prefix T, hex B, isSigned L   tt.assert, cf.assert message T      tt.call callee T
//   tt.extern_elementwise symbol T         tt.elementwise_inline_asm asm T, constraints T, packed_element I, pure B
//   scf.for unsigned U                     cf.switch, scf.index_switch cases L
// cf.switch's successors are the default, then the cases; scf.index_switch's regions are the cases, then the default.
// scf.if has one region, or two with an else. A terminator that the text leaves out (scf.yield) is there. Modifiers of
// arith and math (fastmath, overflow, …) are attributes of their name; others are as written.
//
// Guaranteed of a module that was read (validate.h):
// - Names of functions differ. Calls name functions with a body and fit their types; none reaches itself. They nest 128
//   deep at most, and a function with every call replaced by what it calls has max_operations at most.
// - Every operand was computed, on every way there, when it is used. Successors exist, are never a region's first
//   block, and get the arguments that it has. Every block ends with a known terminator of what it stands in, a
//   function's perhaps with an operation that is not known; terminators stand nowhere else.
// - A known operation has the number of operands, results, regions and blocks that its kind has, the attributes that it
//   needs, and operands and results whose types fit each other. None of them is opaque, except that opaque values pass
//   through calls, branches, loops, conditions and yields; an operation that works on them is not known.
// - An operation that is not known has a name, results, its text and, from the generic form, operands and attributes.
base::Result<Module> read_ir(std::string_view text, const IrReaderOptions& options = {});

}  // namespace tritonrl::machine
