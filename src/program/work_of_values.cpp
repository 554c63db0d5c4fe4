#include "program/work_of_values.h"

#include <algorithm>
#include <array>

#include "program/cost_parts.h"

namespace tritonrl::program {
namespace {

constexpr double kMultiplyAdd = 2;

bool is_complex(DType dtype) {
  return dtype == DType::kComplex64 || dtype == DType::kComplex128;
}

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

template <typename Holds>
bool any_tensor(const Operands& o, Holds&& holds) {
  const auto any = [&](const auto& groups) {
    return std::any_of(groups.begin(), groups.end(), [&](const Operands::Group& group) {
      return std::any_of(group.tensors.begin(), group.tensors.end(), holds);
    });
  };
  return any(o.inputs()) || any(o.results());
}

}  // namespace

bool adds_up(const Operands& o) {
  const std::string_view name = o.name();
  if (o.flag("accumulate", false) || (o.value("reduce") != nullptr && o.op().kind == OperatorKind::kGather))
    return true;
  if (name == "bincount") return true;
  if (!name.ends_with("_backward")) return false;
  if (o.op().kind == OperatorKind::kPermute)
    return name.find("_pad") != std::string_view::npos && !name.starts_with("_");
  constexpr std::array<std::string_view, 5> kLookups = {"gather_backward", "index_select_backward",
                                                        "embedding_backward", "embedding_dense_backward",
                                                        "value_selecting_reduction_backward"};
  return is_one_of(kLookups, name);
}

bool changes_values(const Operands& o) {
  if (o.name().starts_with("resolve_")) return true;  // turns signs
  const Tensor* from = o.first_of({"src", "self"});
  if (from == nullptr) from = o.input();
  const Tensor* to = o.result();
  if (from == nullptr || to == nullptr || from->dtype == to->dtype) return false;
  const bool floats = is_floating(to->dtype) || is_complex(to->dtype);
  if (floats || from->dtype == DType::kBool) return false;
  if (is_floating(from->dtype) || is_complex(from->dtype) || to->dtype == DType::kBool) return true;
  return size_of(to->dtype) < size_of(from->dtype);
}

bool writes_number_by_flags(const Operands& o) {
  if (o.name() != "index_put") return false;
  const std::vector<const Tensor*> flags = o.tensors("indices");
  return numel(o.tensor("values")) == 1 && !flags.empty() &&
         std::all_of(flags.begin(), flags.end(), [](const Tensor* one) { return one->dtype == DType::kBool; });
}

bool fills_from_tensors(const Operands& o) {
  return o.first_of({"value", "start", "end"}) != nullptr;
}

bool is_complex(const Operands& o) {
  return any_tensor(o, [](const Tensor* one) { return is_complex(one->dtype); });
}

ComplexPasses complex_passes(const Operands& o, bool special) {
  const std::string_view name = o.name();
  constexpr std::array<std::string_view, 5> kParts = {"complex", "real", "imag", "eq", "ne"};
  constexpr std::array<std::string_view, 7> kSums = {"add",  "sub", "rsub", "neg", "conj_physical", "_conj_physical",
                                                     "where"};
  if (is_one_of(kParts, name)) return {.special = 0, .pointwise = 1};
  if (is_one_of(kSums, name)) return {.special = 0, .pointwise = 2};
  if (name == "abs" || name == "sgn") return {.special = 1, .pointwise = 3};
  if (special) return {.special = 3, .pointwise = 2};  // exp(x) * cos(y), exp(x) * sin(y)
  return {.special = 0, .pointwise = 6};
}

double linalg_ops(const Operands& o) {
  const std::string_view name = o.name();
  if (name.find("solve") == std::string_view::npos && name != "linalg_lstsq") return scalar_ops_of(o);
  // the right side of the older calls is `self`, and their coefficients have many names
  const Tensor* matrix = o.first_of({"LU", "LD", "LU_data", "A", "input2", "self"});
  if (matrix == nullptr) return scalar_ops_of(o);
  const double applied = kMultiplyAdd * static_cast<double>(size_at(*matrix, -1)) * numel(o.result());
  constexpr std::array<std::string_view, 5> kFactorise = {"linalg_solve", "linalg_solve_ex", "_linalg_solve_ex",
                                                          "linalg_tensorsolve", "linalg_lstsq"};
  return is_one_of(kFactorise, name) ? scalar_ops_of(o) + applied : applied;
}

}  // namespace tritonrl::program
