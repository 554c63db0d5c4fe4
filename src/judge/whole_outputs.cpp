#include "judge/whole_outputs.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "judge/elements.h"
#include "judge/rules/step_access.h"
#include "program/operator_table.h"
#include "runner/structure_tensors.h"

namespace tritonrl::judge {
namespace {

using program::OperatorKind;

constexpr std::array<std::string_view, 14> kChoosing = {"argmax", "argmin", "max", "min", "lt",  "le",    "gt",
                                                        "ge",     "eq",     "ne",  "any", "all", "isinf", "isnan"};

// Of what a call makes of operands of these natures.
WholeOutput nature_of(const program::Operator& op, WholeOutput operands, bool rounds) {
  const std::string_view name = program::plain_name(op.name);
  if (op.kind == OperatorKind::kSort || op.kind == OperatorKind::kShapeQuery || op.random) return WholeOutput::kUnknown;
  if (std::find(kChoosing.begin(), kChoosing.end(), name) != kChoosing.end()) return WholeOutput::kChosen;
  if (op.kind == OperatorKind::kView || (op.kind == OperatorKind::kCopy && !rounds) ||
      op.kind == OperatorKind::kPermute)
    return operands;
  return WholeOutput::kRounded;
}

}  // namespace

std::vector<WholeOutput> whole_outputs_of(const program::Program& program) {
  const program::Forward& forward = program.forwards.front();
  const auto tensor = [&](program::TensorRef ref) -> const program::Tensor& {
    return program.tensors[static_cast<std::size_t>(ref.index)];
  };
  std::map<int, WholeOutput> natures;  // by storage: of the whole numbers there
  bool sorted = false;                 // what follows from it may be anything
  for (const program::Step& step : forward.steps) {
    const auto* call = std::get_if<program::AtenCall>(&step);
    const program::Operator* op = call == nullptr ? nullptr : program::find_operator(call->op);
    if (op == nullptr) continue;
    sorted = sorted || op->kind == OperatorKind::kSort;
    const StepAccess access = access_of(program, step);
    WholeOutput operands = WholeOutput::kRounded;
    bool rounds = false;
    for (const program::Value& value : call->args) {
      program::for_each_tensor(value, [&](program::TensorRef ref) {
        const program::Tensor& one = tensor(ref);
        rounds = rounds || has_fractions(one.dtype);
        if (const auto found = natures.find(one.storage); found != natures.end()) operands = found->second;
      });
    }
    for (const int storage : access.writes) natures[storage] = nature_of(*op, operands, rounds);
  }
  std::vector<WholeOutput> out;
  for (const program::TensorRef ref : runner::tensors_of(forward.outputs)) {
    const program::Tensor& one = tensor(ref);
    const auto found = natures.find(one.storage);
    const bool known = !sorted && !has_fractions(one.dtype) && found != natures.end();
    out.push_back(known ? found->second : WholeOutput::kUnknown);
  }
  return out;
}

}  // namespace tritonrl::judge
