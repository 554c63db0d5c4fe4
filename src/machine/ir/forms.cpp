#include "machine/ir/forms.h"

#include <array>
#include <cstddef>
#include <span>
#include <unordered_map>

#include "base/check.h"

namespace tritonrl::machine {
namespace {

constexpr std::string_view kUnary = "$ X D : tr";
constexpr std::string_view kBinary = "$ , $ X D : tr";
constexpr std::string_view kTo = "$ X D : t to r";
constexpr std::string_view kArrow = "$ D : t -> r";

constexpr Form unary(std::string_view name, Rule rule) {
  return {name, kUnary, rule, 1, 1, 1};
}
constexpr Form binary(std::string_view name, Rule rule) {
  return {name, kBinary, rule, 2, 2, 1};
}
constexpr Form cast(std::string_view name) {
  return {name, kTo, Rule::kCast, 1, 1, 1};
}
constexpr Form test(std::string_view name) {
  return {name, "$ X D : t =i1", Rule::kCompare, 1, 1, 1};
}

constexpr Rule kInts = Rule::kSameInteger, kFloats = Rule::kSameFloat;

constexpr Form kArith[] = {
    binary("arith.addi", kInts),
    binary("arith.subi", kInts),
    binary("arith.muli", kInts),
    binary("arith.divsi", kInts),
    binary("arith.divui", kInts),
    binary("arith.remsi", kInts),
    binary("arith.remui", kInts),
    binary("arith.ceildivsi", kInts),
    binary("arith.ceildivui", kInts),
    binary("arith.floordivsi", kInts),
    binary("arith.andi", kInts),
    binary("arith.ori", kInts),
    binary("arith.xori", kInts),
    binary("arith.shli", kInts),
    binary("arith.shrsi", kInts),
    binary("arith.shrui", kInts),
    binary("arith.maxsi", kInts),
    binary("arith.maxui", kInts),
    binary("arith.minsi", kInts),
    binary("arith.minui", kInts),
    binary("arith.addf", kFloats),
    binary("arith.subf", kFloats),
    binary("arith.mulf", kFloats),
    binary("arith.divf", kFloats),
    binary("arith.remf", kFloats),
    binary("arith.maximumf", kFloats),
    binary("arith.minimumf", kFloats),
    binary("arith.maxnumf", kFloats),
    binary("arith.minnumf", kFloats),
    unary("arith.negf", kFloats),
    cast("arith.extsi"),
    cast("arith.extui"),
    cast("arith.extf"),
    cast("arith.trunci"),
    cast("arith.truncf"),
    cast("arith.sitofp"),
    cast("arith.uitofp"),
    cast("arith.fptosi"),
    cast("arith.fptoui"),
    cast("arith.bitcast"),
    cast("arith.index_cast"),
    cast("arith.index_castui"),
    {"arith.mulsi_extended", "$ , $ D : tr =again", Rule::kExtended, 2, 2, 2},
    {"arith.mului_extended", "$ , $ D : tr =again", Rule::kExtended, 2, 2, 2},
    {"arith.addui_extended", "$ , $ D : r , r", Rule::kExtended, 2, 2, 2},
    {"arith.cmpi", "w:predicate , $ , $ X D : t =i1", Rule::kCompare, 2, 2, 1},
    {"arith.cmpf", "w:predicate , $ , $ X D : t =i1", Rule::kCompare, 2, 2, 1},
    {"arith.select", "$ , $ , $ D : sel", Rule::kSelect, 3, 3, 1},
    {"arith.constant", "", Rule::kConstant, 0, 0, 1},
};

constexpr Form kMath[] = {
    unary("math.absf", kFloats),
    unary("math.absi", kInts),
    unary("math.acos", kFloats),
    unary("math.acosh", kFloats),
    unary("math.asin", kFloats),
    unary("math.asinh", kFloats),
    unary("math.atan", kFloats),
    unary("math.atanh", kFloats),
    unary("math.cbrt", kFloats),
    unary("math.ceil", kFloats),
    unary("math.cos", kFloats),
    unary("math.cosh", kFloats),
    unary("math.ctlz", kInts),
    unary("math.ctpop", kInts),
    unary("math.cttz", kInts),
    unary("math.erf", kFloats),
    unary("math.erfc", kFloats),
    unary("math.exp", kFloats),
    unary("math.exp2", kFloats),
    unary("math.expm1", kFloats),
    unary("math.floor", kFloats),
    unary("math.log", kFloats),
    unary("math.log10", kFloats),
    unary("math.log1p", kFloats),
    unary("math.log2", kFloats),
    unary("math.round", kFloats),
    unary("math.rsqrt", kFloats),
    unary("math.roundeven", kFloats),
    unary("math.sin", kFloats),
    unary("math.sinh", kFloats),
    unary("math.sqrt", kFloats),
    unary("math.tan", kFloats),
    unary("math.tanh", kFloats),
    unary("math.trunc", kFloats),
    binary("math.atan2", kFloats),
    binary("math.copysign", kFloats),
    binary("math.ipowi", kInts),
    binary("math.powf", kFloats),
    {"math.fma", "$ , $ , $ X D : tr", kFloats, 3, 3, 1},
    test("math.isfinite"),
    test("math.isinf"),
    test("math.isnan"),
    test("math.isnormal"),
    {"math.sincos", "$ X D : tr =again", Rule::kExtended, 1, 1, 2},
    {"math.fpowi", "$ , $ X D : tr , t", Rule::kElementwise, 2, 2, 1},
    {"math.clampf", "$ to [ $ , $ ] X D : tr", kFloats, 3, 3, 1},
};

constexpr Form kTriton[] = {
    // Elementwise
    {"tt.int_to_ptr", kArrow, Rule::kCast, 1, 1, 1},
    {"tt.ptr_to_int", kArrow, Rule::kCast, 1, 1, 1},
    {"tt.bitcast", kArrow, Rule::kCast, 1, 1, 1},
    {"tt.fp_to_fp", "$ D ,m:rounding:rounding D : t -> r", Rule::kCast, 1, 1, 1},
    {"tt.clampf", "$ , $ , $ ,m:propagateNan:propagateNan D : tr", kFloats, 3, 3, 1},
    {"tt.precise_sqrt", "$ D : tr", kFloats, 1, 1, 1},
    {"tt.precise_divf", "$ , $ D : tr", kFloats, 2, 2, 1},
    {"tt.mulhiui", "$ , $ D : tr", kInts, 2, 2, 1},
    {"tt.addptr", "$ , $ D : tr , t", Rule::kAddPointer, 2, 2, 1},
    {"tt.extern_elementwise", "$* D : fn", Rule::kElementwise, 0, -1, 1},
    {"tt.elementwise_inline_asm", "s:asm D $:t* -> r*", Rule::kElementwise, 0, -1, -1},
    {"tt.map_elementwise", "", Rule::kMapElementwise, 1, -1, -1, 1},
    {"tt.map_elementwise.return", "D $:t*", Rule::kYield, 0, -1, 0, 0, true},
    // Memory
    {"tt.load", "$ ,$? ,$? m:cacheModifier:cache m:evictionPolicy:evict m:cacheModifier:cache D : t =pointee",
     Rule::kLoad, 1, 3, 1},
    {"tt.store", "$ , $ ,$? m:cacheModifier:cache m:evictionPolicy:evict m:cacheModifier:cache D : t", Rule::kStore, 2,
     3, 0},
    {"tt.atomic_rmw", "w:rmw , w:sem , w:scope , $ , $ ,$? D : fn", Rule::kAtomicRmw, 2, 3, 1},
    {"tt.atomic_cas", "w:sem , w:scope , $ , $ , $ D : fn", Rule::kAtomicCas, 3, 3, 1},
    {"tt.make_tensor_ptr", "$ , [ $* ] , [ $* ] , [ $* ] D : rP", Rule::kMakeTensorPointer, 1, -1, 1},
    {"tt.advance", "$ , [ $* ] D : rP", Rule::kAdvance, 1, -1, 1},
    {"tt.make_tensor_descriptor", "$ , [ $* ] , [ $* ] D : tP , rD", Rule::kMakeDescriptor, 1, -1, 1},
    {"tt.descriptor_load", "$ [ $* ] m:cacheModifier:cache m:evictionPolicy:evict m:cacheModifier:cache D : t -> r",
     Rule::kDescriptorLoad, 1, -1, 1},
    {"tt.descriptor_store", "$ [ $* ] , $ D : t , t-1", Rule::kDescriptorStore, 2, -1, 0},
    {"tt.descriptor_reduce", "w:kind , $ [ $* ] , $ D : t , t-1", Rule::kDescriptorStore, 2, -1, 0},
    {"tt.descriptor_gather", "$ [ $ , $ ] D : fn", Rule::kDescriptorGather, 3, 3, 1},
    {"tt.descriptor_scatter", "$ [ $ , $ ] , $ D : t*", Rule::kDescriptorScatter, 4, 4, 0},
    // Shapes
    {"tt.splat", kArrow, Rule::kSplat, 1, 1, 1},
    {"tt.unsplat", "$ D : t =scalar", Rule::kUnsplat, 1, 1, 1},
    {"tt.broadcast", kArrow, Rule::kBroadcast, 1, 1, 1},
    {"tt.expand_dims", kArrow, Rule::kExpandDims, 1, 1, 1},
    {"tt.reshape", "$ u:allow_reorder u:efficient_layout D : t -> r", Rule::kReshape, 1, 1, 1},
    {"tt.trans", kArrow, Rule::kTrans, 1, 1, 1},
    {"tt.join", "$ , $ D : t -> r", Rule::kJoin, 2, 2, 1},
    {"tt.split", "$ D : t -> r =again", Rule::kSplit, 1, 1, 2},
    {"tt.cat", "$ , $ D : t -> r", Rule::kCat, 2, 2, 1},
    {"tt.gather", "$ [ $ ] D : fn", Rule::kGather, 2, 2, 1},
    {"tt.histogram", "$ ,$? D : t -> r", Rule::kHistogram, 1, 2, 1},
    {"tt.make_range", "D : r", Rule::kRange, 0, 0, 1},
    // Blocks
    {"tt.dot", "$ , $ , $ ,m:inputPrecision:inputPrecision D : t * t -> r", Rule::kDot, 3, 3, 1},
    {"tt.dot_scaled", "$ sc:a_scale , $ sc:b_scale , $ lhs = w:a_elem_type rhs = w:b_elem_type D : t ,t? * t ,t? -> r",
     Rule::kDotScaled, 3, 5, 1},
    {"tt.reduce", "", Rule::kReduce, 1, -1, -1, 1},
    {"tt.reduce.return", "$* D : t*", Rule::kYield, 0, -1, 0, 0, true},
    {"tt.scan", "", Rule::kScan, 1, -1, -1, 1},
    {"tt.scan.return", "$* D : t*", Rule::kYield, 0, -1, 0, 0, true},
    // The program
    {"tt.get_program_id", "w:axis D : r", Rule::kProgram, 0, 0, 1},
    {"tt.get_num_programs", "w:axis D : r", Rule::kProgram, 0, 0, 1},
    {"tt.print", "s:prefix D :$:t*", Rule::kPrint, 0, -1, 0},
    {"tt.assert", "$ , s:message D : t", Rule::kTruth, 1, 1, 0},
    {"tt.call", "@:callee ( $* ) D : fn", Rule::kCall, 0, -1, -1},
    {"tt.return", "D $:t*", Rule::kReturn, 0, -1, 0, 0, true},
    {"gpu.barrier", "D", Rule::kNone, 0, 0, 0},
    {"ttg.barrier", "b:spaces D", Rule::kNone, 0, 0, 0},
    {"ttg.local_barrier", "D", Rule::kNone, 0, 0, 0},
    {"llvm.intr.assume", "$ D : t", Rule::kTruth, 1, 1, 0},
    {"ub.poison", "D : r", Rule::kNone, 0, 0, 1},
    {"ub.unreachable", "D", Rule::kNone, 0, 0, 0, 0, true},
};

constexpr Form kControl[] = {
    {"scf.for", "", Rule::kFor, 3, -1, -1, 1},
    {"scf.while", "", Rule::kWhile, 0, -1, -1, 2},
    {"scf.if", "", Rule::kIf, 1, 1, -1, -1},
    {"scf.index_switch", "", Rule::kIndexSwitch, 1, 1, -1, -1},
    {"scf.execute_region", "", Rule::kExecuteRegion, 0, 0, -1, 1},
    {"scf.yield", "D $:t*", Rule::kYield, 0, -1, 0, 0, true},
    {"scf.condition", "( $1 ) D $:t*", Rule::kCondition, 1, -1, 0, 0, true},
    {"cf.br", "", Rule::kBranch, 0, 0, 0, 0, true},
    {"cf.cond_br", "", Rule::kConditionalBranch, 1, 1, 0, 0, true},
    {"cf.switch", "", Rule::kSwitch, 1, 1, 0, 0, true},
    {"cf.assert", "$1 , s:message D", Rule::kTruth, 1, 1, 0},
};

struct Known {
  std::unordered_map<std::string_view, const Form*> forms;
  std::unordered_map<const Form*, std::vector<std::string_view>> words;
};

std::vector<std::string_view> split(std::string_view format) {
  std::vector<std::string_view> words;
  while (!format.empty()) {
    const std::size_t end = format.find(' ');
    words.push_back(format.substr(0, end));
    format.remove_prefix(end == std::string_view::npos ? format.size() : end + 1);
  }
  return words;
}

const Known& known() {
  static const Known all = [] {
    Known made;
    const auto add = [&](std::span<const Form> forms) {
      for (const Form& form : forms) {
        TRL_CHECK(made.forms.emplace(form.name, &form).second, "an operation listed twice");
        made.words.emplace(&form, split(form.format));
      }
    };
    add(kArith);
    add(kMath);
    add(kTriton);
    add(kControl);
    return made;
  }();
  return all;
}

struct Enumeration {
  std::string_view operation;  // empty: of any
  std::string_view key;
  std::span<const std::string_view> words;  // by number; empty where none has it
};

constexpr std::string_view kIntegerPredicates[] = {"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"};
constexpr std::string_view kFloatPredicates[] = {"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                                                 "ueq",   "ugt", "uge", "ult", "ule", "une", "uno", "true"};
constexpr std::string_view kCache[] = {"", "none", "ca", "cg", "wb", "cs", "wt", "cv"};
constexpr std::string_view kEvict[] = {"", "evict_normal", "evict_first", "evict_last"};
constexpr std::string_view kRmw[] = {"", "and", "or", "xor", "add", "fadd", "max", "min", "umax", "umin", "exch"};
constexpr std::string_view kSem[] = {"", "relaxed", "acquire", "release", "acq_rel"};
constexpr std::string_view kScope[] = {"", "gpu", "cta", "sys"};
constexpr std::string_view kRounding[] = {"rtz", "rtne"};
constexpr std::string_view kPrecision[] = {"tf32", "tf32x3", "ieee", "bf16x3", "bf16x6"};
constexpr std::string_view kReduceKind[] = {"", "add", "min", "max", "inc", "dec", "and", "or", "xor"};
constexpr std::string_view kElementType[] = {"e4m3", "e5m2", "e2m3", "e3m2", "e2m1", "bf16", "fp16"};
constexpr std::string_view kPropagateNan[] = {"none"};

constexpr Enumeration kEnumerations[] = {
    {"arith.cmpi", "predicate", kIntegerPredicates},
    {"arith.cmpf", "predicate", kFloatPredicates},
    {"", "cache", kCache},
    {"", "evict", kEvict},
    {"tt.atomic_rmw", "rmw", kRmw},
    {"", "sem", kSem},
    {"", "scope", kScope},
    {"tt.fp_to_fp", "rounding", kRounding},
    {"tt.dot", "inputPrecision", kPrecision},
    {"tt.descriptor_reduce", "kind", kReduceKind},
    {"tt.dot_scaled", "a_elem_type", kElementType},
    {"tt.dot_scaled", "b_elem_type", kElementType},
    {"tt.clampf", "propagateNan", kPropagateNan},
};

}  // namespace

const Form* find_form(std::string_view name) {
  const auto& forms = known().forms;
  const auto found = forms.find(name);
  return found == forms.end() ? nullptr : found->second;
}

const std::vector<std::string_view>& words_of(const Form& form) {
  return known().words.at(&form);
}

std::string_view enumerator(std::string_view operation, std::string_view key, std::int64_t value) {
  if (operation == "tt.clampf" && key == "propagateNan" && value == 0xFFFF) return "all";
  for (const Enumeration& each : kEnumerations) {
    if (each.key != key || !(each.operation.empty() || each.operation == operation)) continue;
    return value >= 0 && value < static_cast<std::int64_t>(each.words.size())
               ? each.words[static_cast<std::size_t>(value)]
               : std::string_view();
  }
  return {};
}

}  // namespace tritonrl::machine
