#include "machine/ir/forms.h"

#include <algorithm>
#include <cstddef>
#include <unordered_map>

#include "base/check.h"

namespace tritonrl::machine {
namespace {

constexpr Form kControlForms[] = {
    {"scf.for", "", nullptr, 3, -1, -1, 1, false, Rule::kFor},
    {"scf.while", "", nullptr, 0, -1, -1, 2, false, Rule::kWhile},
    {"scf.if", "", nullptr, 1, 1, -1, -1, false, Rule::kIf},
    {"scf.index_switch", "", nullptr, 1, 1, -1, -1, false, Rule::kIndexSwitch},
    {"scf.execute_region", "", nullptr, 0, 0, -1, 1, false, Rule::kExecuteRegion},
    {"scf.yield tt.map_elementwise.return", "D $:t*", nullptr, 0, -1, 0, 0, true, Rule::kYield},
    {"tt.reduce.return tt.scan.return", "$* D : t*", nullptr, 0, -1, 0, 0, true, Rule::kYield},
    {"scf.condition", "( $1 ) D $:t*", nullptr, 1, -1, 0, 0, true, Rule::kCondition},
    {"cf.br", "", nullptr, 0, 0, 0, 0, true, Rule::kBranch},
    {"cf.cond_br", "", nullptr, 1, 1, 0, 0, true, Rule::kConditionalBranch},
    {"cf.switch", "", nullptr, 1, 1, 0, 0, true, Rule::kSwitch},
    {"tt.call", "@:callee ( $* ) D : fn", nullptr, 0, -1, -1, 0, false, Rule::kCall},
    {"tt.return", "D $:t*", nullptr, 0, -1, 0, 0, true, Rule::kReturn},
    {"gpu.barrier ttg.local_barrier", "D"},
    {"ttg.barrier", "b:spaces D"},
    {"ub.poison", "D : r", nullptr, 0, 0, 1},
    {"ub.unreachable", "D", nullptr, 0, 0, 0, 0, true},
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
    for (const std::span<const Form> forms :
         {elementwise_forms(), memory_forms(), shape_forms(), block_forms(), std::span<const Form>(kControlForms)}) {
      for (const Form& form : forms) {
        for (const std::string_view name : split(form.names)) {
          TRL_CHECK(made.forms.emplace(name, &form).second, "an operation listed twice");
        }
        made.words.emplace(&form, split(form.format));
      }
    }
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

std::span<const std::string_view> words_for(std::string_view operation, std::string_view key) {
  for (const Enumeration& each : kEnumerations) {
    if (each.key == key && (each.operation.empty() || each.operation == operation)) return each.words;
  }
  return {};
}

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
  const std::span<const std::string_view> words = words_for(operation, key);
  const bool inside = value >= 0 && value < static_cast<std::int64_t>(words.size());
  return inside ? words[static_cast<std::size_t>(value)] : std::string_view();
}

bool is_enumerator(std::string_view operation, std::string_view key, std::string_view word) {
  const std::span<const std::string_view> words = words_for(operation, key);
  return !word.empty() && std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace tritonrl::machine
