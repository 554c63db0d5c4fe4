#include "judge/rules/step_access.h"

#include <algorithm>
#include <set>

#include "program/operator_table.h"
#include "runner/structure_tensors.h"

namespace tritonrl::judge {
namespace {

void once(std::vector<int>& storages) {
  std::sort(storages.begin(), storages.end());
  storages.erase(std::unique(storages.begin(), storages.end()), storages.end());
}

}  // namespace

StepAccess access_of(const program::Program& program, const program::Step& step) {
  StepAccess out;
  const auto storage = [&](program::TensorRef ref) {
    return program.tensors[static_cast<std::size_t>(ref.index)].storage;
  };
  if (const auto* launch = std::get_if<program::Launch>(&step)) {
    for (const program::LaunchVariant& variant : launch->variants) {
      for (const program::LaunchArgument& argument : variant.arguments) {
        program::for_each_tensor(argument.value, [&](program::TensorRef ref) { out.reads.push_back(storage(ref)); });
      }
    }
    once(out.reads);
    out.writes = out.reads;
    return out;
  }
  if (const auto* question = std::get_if<program::Question>(&step)) {
    for (const program::TensorRef ref : question->about) out.reads.push_back(storage(ref));
    once(out.reads);
    return out;
  }
  const auto& call = std::get<program::AtenCall>(step);
  const program::Operator* op = program::find_operator(call.op);
  const auto bound = op == nullptr ? std::nullopt : program::bind_arguments(call, *op, nullptr);
  if (!bound) return out;
  // of what a fill is called on the shape alone matters; what it is filled with is read
  const bool fills = op->kind == program::OperatorKind::kFill;
  const auto reads = [&](const program::Argument& argument) {
    if (op->kind == program::OperatorKind::kAllocate || argument.is_out()) return false;
    return !fills || (argument.name != "self" && argument.name != "like");
  };
  std::vector<int> operands;
  for (std::size_t i = 0; i < bound->size(); ++i) {
    if ((*bound)[i] == nullptr) continue;
    program::for_each_tensor(*(*bound)[i], [&](program::TensorRef ref) {
      operands.push_back(storage(ref));
      if (reads(op->arguments[i])) out.reads.push_back(storage(ref));
      if (op->arguments[i].mutated) out.writes.push_back(storage(ref));
    });
  }
  program::for_each_tensor(call.result, [&](program::TensorRef ref) {
    if (std::find(operands.begin(), operands.end(), storage(ref)) == operands.end()) out.writes.push_back(storage(ref));
  });
  if (op->kind == program::OperatorKind::kView && out.writes.empty()) out.reads.clear();
  if (op->kind == program::OperatorKind::kCopy && !bound->empty() && op->arguments[0].mutated && call.args.size() > 1) {
    // copy_ overwrites what it is called on
    std::vector<int> target;
    program::for_each_tensor(*(*bound)[0], [&](program::TensorRef ref) { target.push_back(storage(ref)); });
    std::erase_if(out.reads, [&](int one) { return one == target.front(); });
  }
  once(out.reads);
  once(out.writes);
  return out;
}

namespace {

// A number that Python may have read from a tensor, unlike sizes and places.
bool has_fraction(const program::Value& value) {
  if (const auto* list = value.get_if<program::Value::List>())
    return std::any_of(list->begin(), list->end(), [](const program::Value& one) { return has_fraction(one); });
  return value.get_if<double>() != nullptr;
}

}  // namespace

bool has_fraction(const program::Step& step) {
  const auto* call = std::get_if<program::AtenCall>(&step);
  return call != nullptr && (std::any_of(call->args.begin(), call->args.end(),
                                         [](const program::Value& value) { return has_fraction(value); }) ||
                             std::any_of(call->kwargs.begin(), call->kwargs.end(),
                                         [](const auto& named) { return has_fraction(named.second); }));
}

std::vector<bool> tainted_by_inputs(const program::Program& program, int forward) {
  std::vector<bool> tainted(program.storages.size(), false);
  for (int f = 0; f <= forward; ++f) {
    const program::Forward& one = program.forwards[static_cast<std::size_t>(f)];
    for (const program::TensorRef ref : runner::tensors_of(one.inputs)) {
      tainted[static_cast<std::size_t>(program.tensors[static_cast<std::size_t>(ref.index)].storage)] = true;
    }
    bool asked = false;  // Python knows a number that depends on inputs, and may pass it on
    for (const program::Step& step : one.steps) {
      const StepAccess access = access_of(program, step);
      const bool any = std::any_of(access.reads.begin(), access.reads.end(),
                                   [&](int storage) { return tainted[static_cast<std::size_t>(storage)]; });
      asked = asked || (any && std::holds_alternative<program::Question>(step));
      if (!any && !(asked && has_fraction(step))) continue;
      for (const int storage : access.writes) tainted[static_cast<std::size_t>(storage)] = true;
    }
  }
  return tainted;
}

bool needs_earlier(const program::Program& program) {
  std::set<int> made;
  for (std::size_t f = 0; f + 1 < program.forwards.size(); ++f) {
    for (const program::Step& step : program.forwards[f].steps) {
      const auto* call = std::get_if<program::AtenCall>(&step);
      if (call == nullptr) continue;
      std::set<int> known;  // a view of a parameter makes no memory
      const auto storage_of = [&](program::TensorRef ref) {
        return program.tensors[static_cast<std::size_t>(ref.index)].storage;
      };
      const auto know = [&](program::TensorRef ref) { known.insert(storage_of(ref)); };
      for (const program::Value& value : call->args) program::for_each_tensor(value, know);
      for (const auto& [name, value] : call->kwargs) program::for_each_tensor(value, know);
      program::for_each_tensor(call->result, [&](program::TensorRef ref) {
        if (!known.contains(storage_of(ref))) made.insert(storage_of(ref));
      });
    }
  }
  bool needs = false;
  const auto look = [&](program::TensorRef ref) {
    needs = needs || made.contains(program.tensors[static_cast<std::size_t>(ref.index)].storage);
  };
  for (const program::Step& step : program.forwards.back().steps) {
    if (const auto* call = std::get_if<program::AtenCall>(&step)) {
      for (const program::Value& value : call->args) program::for_each_tensor(value, look);
    } else if (const auto* launch = std::get_if<program::Launch>(&step)) {
      for (const program::LaunchVariant& variant : launch->variants) {
        for (const program::LaunchArgument& argument : variant.arguments)
          program::for_each_tensor(argument.value, look);
      }
    }
  }
  return needs;
}

}  // namespace tritonrl::judge
