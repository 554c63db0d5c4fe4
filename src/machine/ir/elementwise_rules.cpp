#include <algorithm>

#include "machine/ir/rules.h"
#include "machine/ir/types.h"

namespace tritonrl::machine {
namespace {

enum class Of { kInteger, kFloat, kPointer, kI64, kAny };
enum class Width { kAny, kWider, kNarrower, kEqual };

struct Cast {
  std::string_view name;
  Of from, to;
  Width width;
};

constexpr Cast kCasts[] = {
    {"arith.extsi", Of::kInteger, Of::kInteger, Width::kWider},
    {"arith.extui", Of::kInteger, Of::kInteger, Width::kWider},
    {"arith.extf", Of::kFloat, Of::kFloat, Width::kWider},
    {"arith.trunci", Of::kInteger, Of::kInteger, Width::kNarrower},
    {"arith.truncf", Of::kFloat, Of::kFloat, Width::kNarrower},
    {"arith.sitofp", Of::kInteger, Of::kFloat, Width::kAny},
    {"arith.uitofp", Of::kInteger, Of::kFloat, Width::kAny},
    {"arith.fptosi", Of::kFloat, Of::kInteger, Width::kAny},
    {"arith.fptoui", Of::kFloat, Of::kInteger, Width::kAny},
    {"arith.bitcast", Of::kAny, Of::kAny, Width::kEqual},
    {"arith.index_cast", Of::kInteger, Of::kInteger, Width::kAny},
    {"arith.index_castui", Of::kInteger, Of::kInteger, Width::kAny},
    {"tt.int_to_ptr", Of::kI64, Of::kPointer, Width::kAny},
    {"tt.ptr_to_int", Of::kPointer, Of::kI64, Width::kAny},
    {"tt.bitcast", Of::kAny, Of::kAny, Width::kEqual},
    {"tt.fp_to_fp", Of::kFloat, Of::kFloat, Width::kAny},
};

bool is_of(Scalar scalar, Of of) {
  switch (of) {
    case Of::kInteger:
      return is_integer(scalar);
    case Of::kFloat:
      return is_float(scalar);
    case Of::kPointer:
      return scalar == Scalar::kPointer;
    case Of::kI64:
      return scalar == Scalar::kI64;
    case Of::kAny:
      break;
  }
  return true;
}

int bits_of(Scalar scalar) {
  return scalar == Scalar::kI1 ? 1 : 8 * size_of(scalar);
}

bool fits(int from, int to, Width width) {
  switch (width) {
    case Width::kWider:
      return from < to;
    case Width::kNarrower:
      return from > to;
    case Width::kEqual:
      return from == to;
    case Width::kAny:
      break;
  }
  return true;
}

void check_cast(const TypedOperation& op) {
  const Type& from = op.operand(0);
  const Type& to = op.result();
  if (op.op().name == "tt.bitcast" && from.kind == Type::Kind::kBlockPointer) {
    op.require(to.kind == from.kind && to.shape == from.shape && size_of(to.element) == size_of(from.element),
               "types do not fit");
    return;
  }
  op.require(same_shape(from, to), "shapes differ");
  const auto* cast =
      std::find_if(std::begin(kCasts), std::end(kCasts), [&](const Cast& each) { return each.name == op.op().name; });
  op.require(cast != std::end(kCasts), "an unknown cast");
  op.require(is_of(from.scalar, cast->from) && is_of(to.scalar, cast->to) &&
                 fits(bits_of(from.scalar), bits_of(to.scalar), cast->width),
             "types do not fit");
}

template <Of of>
void check_same(const TypedOperation& op) {
  op.require(is_of(op.result().scalar, of) && same_shape(op.result(), op.result()), "not for this type");
  for (std::size_t i = 0; i < op.operands(); ++i) op.require(op.operand(i) == op.result(), "types differ");
}

void check_compare(const TypedOperation& op) {
  const bool integers = op.op().name == "arith.cmpi";
  const Type& type = op.operand(0);
  op.require(is_of(type.scalar, integers ? Of::kInteger : Of::kFloat), "not for this type");
  for (std::size_t i = 1; i < op.operands(); ++i) op.require(op.operand(i) == type, "types differ");
  op.require(op.result() == truth_like(type), "the result is not i1 in that shape");
  if (op.operands() == 1) return;  // math.isnan and its like
  op.require(is_enumerator(op.op().name, "predicate", op.op().string("predicate")), "an unknown predicate");
}

void check_select(const TypedOperation& op) {
  op.require(op.operand(1) == op.result() && op.operand(2) == op.result(), "types differ");
  const Type& condition = op.operand(0);
  op.require(is_scalar(condition, Scalar::kI1) ||
                 (op.result().kind == Type::Kind::kTensor && condition == truth_like(op.result())),
             "the condition is not i1 in that shape");
}

void check_shared_shape(const TypedOperation& op) {
  const Type& shape = op.operands() > 0 ? op.operand(0) : op.result();
  for (std::size_t i = 0; i < op.operands(); ++i) op.require(same_shape(op.operand(i), shape), "shapes differ");
  for (std::size_t i = 0; i < op.op().results.size(); ++i) op.require(same_shape(op.result(i), shape), "shapes differ");
}

void check_extended(const TypedOperation& op) {
  check_shared_shape(op);
  const Type& type = op.operand(0);
  for (std::size_t i = 1; i < op.operands(); ++i) op.require(op.operand(i) == type, "types differ");
  op.require(op.result(0) == type, "types differ");
  const bool carry = op.op().name == "arith.addui_extended";
  op.require(op.result(1) == (carry ? truth_like(type) : type), "types differ");
  op.require(is_of(type.scalar, op.op().name == "math.sincos" ? Of::kFloat : Of::kInteger), "not for this type");
}

void check_text(const TypedOperation& op, std::string_view key) {
  const Attribute* text = op.op().attribute(key);
  op.require(text != nullptr && std::holds_alternative<std::string>(*text), "a text is missing");
}

void check_elements(const TypedOperation& op) {
  op.require(!op.op().results.empty(), "no result");
  check_shared_shape(op);
  if (op.op().name == "tt.extern_elementwise") check_text(op, "symbol");
  if (op.op().name == "tt.elementwise_inline_asm") check_text(op, "asm");
  if (op.op().name != "math.fpowi") return;
  op.require(op.operand(0) == op.result() && is_float(op.result().scalar) && is_integer(op.operand(1).scalar),
             "not for this type");
}

void check_add_pointer(const TypedOperation& op) {
  op.require(op.operand(0) == op.result() && op.result().scalar == Scalar::kPointer, "not a pointer");
  op.require(same_shape(op.operand(1), op.result()) && is_integer(op.operand(1).scalar), "the offset does not fit");
}

void check_constant(const TypedOperation& op) {
  op.require(same_shape(op.result(), op.result()) && is_number(op.result().scalar), "not a number");
  const Attribute* value = op.op().attribute("value");
  const Dense* dense = value == nullptr ? nullptr : std::get_if<Dense>(value);
  op.require(dense != nullptr, "no value");
  const auto size = static_cast<std::int64_t>(dense->bits.size());
  op.require(dense->splat ? size == 1 : size == op.result().count(), "elements do not fit the type");
}

void check_print(const TypedOperation& op) {
  check_text(op, "prefix");
  const Attribute* found = op.op().attribute("isSigned");
  const auto* is_signed = found == nullptr ? nullptr : std::get_if<std::vector<std::int64_t>>(found);
  op.require(is_signed == nullptr || is_signed->size() >= op.operands(), "a sign for each operand expected");
}

void check_truth(const TypedOperation& op) {
  op.require(op.operand(0) == truth_like(op.operand(0)), "the condition is not i1");
}

// What asks for the program's place in the grid.
void check_program(const TypedOperation& op) {
  op.require(is_scalar(op.result(), Scalar::kI32), "the result is not i32");
  op.integer("axis", 0, 2);
}

constexpr auto kInts = check_same<Of::kInteger>, kFloats = check_same<Of::kFloat>;
constexpr std::string_view kUnary = "$ X D : tr", kBinary = "$ , $ X D : tr";

constexpr Form kElementwiseForms[] = {
    {"arith.addi arith.subi arith.muli arith.divsi arith.divui arith.remsi arith.remui arith.ceildivsi arith.ceildivui "
     "arith.floordivsi arith.andi arith.ori arith.xori arith.shli arith.shrsi arith.shrui arith.maxsi arith.maxui "
     "arith.minsi arith.minui math.ipowi",
     kBinary, kInts, 2, 2, 1},
    {"arith.addf arith.subf arith.mulf arith.divf arith.remf arith.maximumf arith.minimumf arith.maxnumf arith.minnumf "
     "math.atan2 math.copysign math.powf",
     kBinary, kFloats, 2, 2, 1},
    {"math.absi math.ctlz math.ctpop math.cttz", kUnary, kInts, 1, 1, 1},
    {"arith.negf math.absf math.acos math.acosh math.asin math.asinh math.atan math.atanh math.cbrt math.ceil math.cos "
     "math.cosh math.erf math.erfc math.exp math.exp2 math.expm1 math.floor math.log math.log10 math.log1p math.log2 "
     "math.round math.rsqrt math.roundeven math.sin math.sinh math.sqrt math.tan math.tanh math.trunc",
     kUnary, kFloats, 1, 1, 1},
    {"arith.extsi arith.extui arith.extf arith.trunci arith.truncf arith.sitofp arith.uitofp arith.fptosi arith.fptoui "
     "arith.bitcast arith.index_cast arith.index_castui",
     "$ X D : t to r", check_cast, 1, 1, 1},
    {"tt.int_to_ptr tt.ptr_to_int tt.bitcast", kArrow, check_cast, 1, 1, 1},
    {"tt.fp_to_fp", "$ D ,m:rounding:rounding D : t -> r", check_cast, 1, 1, 1},
    {"arith.mulsi_extended arith.mului_extended", "$ , $ D : tr =again", check_extended, 2, 2, 2},
    {"arith.addui_extended", "$ , $ D : r , r", check_extended, 2, 2, 2},
    {"math.sincos", "$ X D : tr =again", check_extended, 1, 1, 2},
    {"arith.cmpi arith.cmpf", "w:predicate , $ , $ X D : t =i1", check_compare, 2, 2, 1},
    {"math.isfinite math.isinf math.isnan math.isnormal", "$ X D : t =i1", check_compare, 1, 1, 1},
    {"arith.select", "$ , $ , $ D : sel", check_select, 3, 3, 1},
    {"arith.constant", "", check_constant, 0, 0, 1},
    {"math.fma", "$ , $ , $ X D : tr", kFloats, 3, 3, 1},
    {"math.fpowi", "$ , $ X D : tr , t", check_elements, 2, 2, 1},
    {"math.clampf", "$ to [ $ , $ ] X D : tr", kFloats, 3, 3, 1},
    {"tt.clampf", "$ , $ , $ ,m:propagateNan:propagateNan D : tr", kFloats, 3, 3, 1},
    {"tt.precise_sqrt", "$ D : tr", kFloats, 1, 1, 1},
    {"tt.precise_divf", "$ , $ D : tr", kFloats, 2, 2, 1},
    {"tt.mulhiui", "$ , $ D : tr", kInts, 2, 2, 1},
    {"tt.addptr", "$ , $ D : tr , t", check_add_pointer, 2, 2, 1},
    {"tt.extern_elementwise", "$* D : fn", check_elements, 0, -1, 1},
    {"tt.elementwise_inline_asm", "s:asm D $:t* -> r*", check_elements, 0, -1, -1},
    {"tt.get_program_id tt.get_num_programs", "w:axis D : r", check_program, 0, 0, 1},
    {"tt.print", "s:prefix D :$:t*", check_print, 0, -1, 0},
    {"tt.assert", "$ , s:message D : t", check_truth, 1, 1, 0},
    {"cf.assert", "$1 , s:message D", check_truth, 1, 1, 0},
    {"llvm.intr.assume", "$ D : t", check_truth, 1, 1, 0},
};

}  // namespace

std::span<const Form> elementwise_forms() {
  return kElementwiseForms;
}

}  // namespace tritonrl::machine
