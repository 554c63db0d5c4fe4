#include "judge/constant_state.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "judge/elements.h"
#include "judge/rules/step_access.h"
#include "program/operator_table.h"

namespace tritonrl::judge {
namespace {

constexpr double kSpread = 0.4;  // of the constant, or of one where that is smaller

bool covers(const program::Program& program, const program::Tensor& tensor) {
  const program::Storage& storage = program.storages[static_cast<std::size_t>(tensor.storage)];
  return tensor.offset == 0 && tensor.numel() * program::size_of(tensor.dtype) == storage.bytes;
}

}  // namespace

std::optional<ConstantFill> constant_fill(const program::Program& program, const program::NamedTensor& state) {
  int storage = program.tensors[static_cast<std::size_t>(state.tensor.index)].storage;
  for (std::size_t i = program.initialise.size(); i-- > 0;) {
    const StepAccess access = access_of(program, program.initialise[i]);
    if (std::find(access.writes.begin(), access.writes.end(), storage) == access.writes.end()) continue;
    const auto* call = std::get_if<program::AtenCall>(&program.initialise[i]);
    const program::Operator* op = call == nullptr ? nullptr : program::find_operator(call->op);
    if (op == nullptr) return std::nullopt;
    if (op->kind == program::OperatorKind::kFill) {
      std::optional<ConstantFill> found;
      program::for_each_tensor(call->result, [&](program::TensorRef ref) {
        const program::Tensor& tensor = program.tensors[static_cast<std::size_t>(ref.index)];
        if (tensor.storage == storage && covers(program, tensor)) found = {static_cast<int>(i), ref};
      });
      return found;
    }
    if (op->kind != program::OperatorKind::kCopy || access.reads.size() != 1) return std::nullopt;
    storage = access.reads.front();
  }
  return std::nullopt;
}

std::optional<std::vector<runner::DrawnTensor>> drawn_of(const program::Program& program,
                                                         const std::vector<GivenState>& state) {
  std::vector<runner::DrawnTensor> out;
  for (const GivenState& given : state) {
    const auto named = std::find_if(program.state.begin(), program.state.end(),
                                    [&](const program::NamedTensor& one) { return one.name == given.name; });
    if (named == program.state.end()) return std::nullopt;
    const auto fill = constant_fill(program, *named);
    if (!fill) return std::nullopt;
    const program::Tensor& tensor = program.tensors[static_cast<std::size_t>(fill->tensor.index)];
    const auto bytes = tensor.numel() * program::size_of(tensor.dtype);
    if (tensor.dtype != given.contents.dtype || bytes != static_cast<std::int64_t>(given.contents.bytes.size()))
      return std::nullopt;
    out.push_back({fill->step, {fill->tensor, given.contents.bytes}});
  }
  return out;
}

std::vector<GivenState> other_constants(const program::Program& program, const std::vector<runner::TensorData>& values,
                                        std::uint64_t seed) {
  std::vector<GivenState> out;
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> spread(-kSpread, kSpread);
  for (std::size_t i = 0; i < program.state.size() && i < values.size(); ++i) {
    const auto fill = constant_fill(program, program.state[i]);
    if (!fill || values[i].bytes.empty()) continue;
    const program::Tensor& filled = program.tensors[static_cast<std::size_t>(fill->tensor.index)];
    if (!float_scalar(filled.dtype) || filled.sizes != values[i].sizes || filled.dtype != values[i].dtype) continue;
    out.push_back({program.state[i].name, values[i]});
    out.back().contents.bytes = changed(
        values[i], [&](double constant) { return constant + spread(random) * std::max(1.0, std::abs(constant)); });
  }
  return out;
}

}  // namespace tritonrl::judge
