#include "judge/rules/value_origin.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "judge/elements.h"
#include "judge/rules/step_access.h"
#include "program/operator_table.h"
#include "runner/structure_tensors.h"

namespace tritonrl::judge {
namespace {

using program::AtenCall;
using program::OperatorKind;
using program::Program;
using program::Step;

bool by_place(const Step& step) {
  const auto* call = std::get_if<AtenCall>(&step);
  const program::Operator* op = call == nullptr ? nullptr : program::find_operator(call->op);
  return op != nullptr && (op->kind == OperatorKind::kPointwise || op->kind == OperatorKind::kCopy ||
                           op->kind == OperatorKind::kView || op->kind == OperatorKind::kPermute);
}

// Memory for a kernel to write to.
bool makes_room(const Step& step) {
  const auto* call = std::get_if<AtenCall>(&step);
  const program::Operator* op = call == nullptr ? nullptr : program::find_operator(call->op);
  return op != nullptr && (op->kind == OperatorKind::kAllocate || op->kind == OperatorKind::kFill);
}

template <std::size_t N>
bool any_argument(const Program& program, const AtenCall& call, const std::array<std::string_view, N>& names,
                  const std::vector<bool>& storages) {
  const program::Operator* op = program::find_operator(call.op);
  const auto bound = program::bind_arguments(call, *op, nullptr);
  bool out = false;
  for (std::size_t i = 0; bound && i < bound->size(); ++i) {
    const bool named = std::find(names.begin(), names.end(), op->arguments[i].name) != names.end();
    if (!named || (*bound)[i] == nullptr) continue;
    program::for_each_tensor(*(*bound)[i], [&](program::TensorRef ref) {
      out = out || storages[static_cast<std::size_t>(program.tensors[static_cast<std::size_t>(ref.index)].storage)];
    });
  }
  return out;
}

}  // namespace

ValueOrigins origins_of(const Program& program, int forward) {
  ValueOrigins out;
  out.inputs = tainted_by_inputs(program, forward);
  out.floats.assign(program.storages.size(), false);
  for (const program::Tensor& tensor : program.tensors) {
    const auto storage = static_cast<std::size_t>(tensor.storage);
    if (out.inputs[storage] && has_fractions(tensor.dtype)) out.floats[storage] = true;
  }
  out.rounded = out.floats;
  for (int f = 0; f <= forward; ++f) {
    const program::Forward& one = program.forwards[static_cast<std::size_t>(f)];
    // a launch may write to whatever it is given; whole numbers that were there before are taken to stay what they are
    std::vector<bool> known(program.storages.size(), false);
    for (const program::TensorRef ref : runner::tensors_of(one.inputs))
      known[static_cast<std::size_t>(program.tensors[static_cast<std::size_t>(ref.index)].storage)] = true;
    for (const Step& step : one.steps) {
      const bool launch = std::holds_alternative<program::Launch>(step);
      const StepAccess access = access_of(program, step);
      const auto spread = [&](std::vector<bool>& storages) {
        const bool any = std::any_of(access.reads.begin(), access.reads.end(),
                                     [&](int storage) { return storages[static_cast<std::size_t>(storage)]; });
        for (const int storage : access.writes) {
          if (any && !(launch && known[static_cast<std::size_t>(storage)]))
            storages[static_cast<std::size_t>(storage)] = true;
        }
      };
      spread(out.floats);
      if (by_place(step)) spread(out.rounded);
      if (launch || makes_room(step)) continue;
      for (const int storage : access.writes) known[static_cast<std::size_t>(storage)] = true;
    }
  }
  return out;
}

bool looks_up_function(const Program& program, const AtenCall& call, const ValueOrigins& origins) {
  constexpr std::array<std::string_view, 6> kLookups = {"index",     "take",   "take_along_dim",
                                                        "embedding", "gather", "index_select"};
  const std::string_view name = program::plain_name(call.op);
  if (program::find_operator(call.op) == nullptr || std::find(kLookups.begin(), kLookups.end(), name) == kLookups.end())
    return false;
  constexpr std::array<std::string_view, 2> kPlaces = {"index", "indices"}, kTables = {"self", "weight"};
  if (any_argument(program, call, kPlaces, origins.rounded)) return true;
  return any_argument(program, call, kPlaces, origins.floats) && !any_argument(program, call, kTables, origins.inputs);
}

}  // namespace tritonrl::judge
