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

// The tensor that a call makes, if that is all of its storage.
std::optional<program::TensorRef> whole_result(const program::Program& program, const program::AtenCall& call) {
  std::optional<program::TensorRef> found;
  program::for_each_tensor(call.result, [&](program::TensorRef ref) {
    if (covers(program, program.tensors[static_cast<std::size_t>(ref.index)])) found = ref;
  });
  return found;
}

// The tensor that a step of the constructor fills as a whole.
std::optional<ConstantFill> fill_at(const program::Program& program, std::size_t step) {
  const auto* call = std::get_if<program::AtenCall>(&program.initialise[step]);
  const program::Operator* op = call == nullptr ? nullptr : program::find_operator(call->op);
  if (op == nullptr || op->kind != program::OperatorKind::kFill) return std::nullopt;
  const auto filled = whole_result(program, *call);
  return filled ? std::optional(ConstantFill{static_cast<int>(step), *filled}) : std::nullopt;
}

// The tensor that a step of the constructor copies as a whole from numbers of the source.
std::optional<ConstantFill> literal_at(const program::Program& program, std::size_t step) {
  const auto* call = std::get_if<program::AtenCall>(&program.initialise[step]);
  const program::Operator* op = call == nullptr ? nullptr : program::find_operator(call->op);
  if (op == nullptr || op->kind != program::OperatorKind::kCopy) return std::nullopt;
  const StepAccess access = access_of(program, program.initialise[step]);
  if (access.reads.size() != 1 || program.storages[static_cast<std::size_t>(access.reads.front())].constant.empty())
    return std::nullopt;
  const auto copied = whole_result(program, *call);
  return copied ? std::optional(ConstantFill{static_cast<int>(step), *copied, /*literal=*/true}) : std::nullopt;
}

// The first of the numbers that such a step copies.
std::optional<double> literal_of(const program::Program& program, const ConstantFill& fill) {
  const program::Step& step = program.initialise[static_cast<std::size_t>(fill.step)];
  const int read = access_of(program, step).reads.front();
  const auto from = std::find_if(program.tensors.begin(), program.tensors.end(),
                                 [&](const program::Tensor& one) { return one.storage == read; });
  if (from == program.tensors.end() || !float_scalar(from->dtype)) return std::nullopt;
  const Elements held(
      {.dtype = from->dtype, .sizes = {1}, .bytes = program.storages[static_cast<std::size_t>(read)].constant});
  return held.count() > 0 ? std::optional(held[0]) : std::nullopt;
}

// What it is filled with, of several numbers the first; none for what is no number (arange).
std::optional<double> constant_of(const program::Program& program, const ConstantFill& fill) {
  if (fill.literal) return literal_of(program, fill);
  const auto& call = std::get<program::AtenCall>(program.initialise[static_cast<std::size_t>(fill.step)]);
  const std::string_view name = program::plain_name(call.op);
  if (name.starts_with("ones") || name == "new_ones") return 1;
  if (name.starts_with("zero") || name == "new_zeros") return 0;
  if (!name.starts_with("full") && !name.starts_with("fill") && name != "new_full") return std::nullopt;
  for (auto value = call.args.rbegin(); value != call.args.rend(); ++value) {
    if (const auto* number = value->get_if<double>()) return *number;
    if (const auto* number = value->get_if<std::int64_t>()) return static_cast<double>(*number);
  }
  return std::nullopt;
}

bool holds(const program::Program& program, const ConstantFill& fill, const runner::TensorData& contents) {
  const program::Tensor& tensor = program.tensors[static_cast<std::size_t>(fill.tensor.index)];
  return tensor.dtype == contents.dtype &&
         tensor.numel() * program::size_of(tensor.dtype) == static_cast<std::int64_t>(contents.bytes.size());
}

struct Fill {
  ConstantFill where;
  std::string name;  // in the state; empty: not of it
  bool taken = false;
};

}  // namespace

std::optional<ConstantFill> constant_fill(const program::Program& program, const program::NamedTensor& state) {
  int storage = program.tensors[static_cast<std::size_t>(state.tensor.index)].storage;
  for (std::size_t i = program.initialise.size(); i-- > 0;) {
    const StepAccess access = access_of(program, program.initialise[i]);
    if (std::find(access.writes.begin(), access.writes.end(), storage) == access.writes.end()) continue;
    const auto* call = std::get_if<program::AtenCall>(&program.initialise[i]);
    const program::Operator* op = call == nullptr ? nullptr : program::find_operator(call->op);
    if (op == nullptr) return std::nullopt;
    if (op->kind == program::OperatorKind::kFill) return fill_at(program, i);
    if (op->kind != program::OperatorKind::kCopy || access.reads.size() != 1) return std::nullopt;
    if (auto literal = literal_at(program, i)) return literal;
    storage = access.reads.front();
  }
  return std::nullopt;
}

DrawnState drawn_of(const program::Program& program, const std::vector<GivenState>& state) {
  std::vector<Fill> fills;  // of the state first, then all others
  for (const program::NamedTensor& one : program.state) {
    if (const auto fill = constant_fill(program, one)) fills.push_back({*fill, one.name, false});
  }
  for (std::size_t i = 0; i < program.initialise.size(); ++i) {
    if (const auto fill = fill_at(program, i)) fills.push_back({*fill, "", false});
  }
  DrawnState out;
  std::vector<const GivenState*> open;
  const auto take = [&](const GivenState& given, auto&& fits) {
    const auto found = std::find_if(fills.begin(), fills.end(), [&](const Fill& fill) {
      return !fill.taken && fits(fill) && holds(program, fill.where, given.contents);
    });
    if (found == fills.end()) return false;
    for (Fill& fill : fills) fill.taken = fill.taken || fill.where.step == found->where.step;
    out.drawn.push_back({found->where.step, {found->where.tensor, given.contents.bytes}});
    return true;
  };
  for (const GivenState& given : state) {
    if (!take(given, [&](const Fill& fill) { return !fill.name.empty() && fill.name == given.name; }))
      open.push_back(&given);
  }
  for (const GivenState* given : open) {
    if (!take(*given, [&](const Fill& fill) { return constant_of(program, fill.where) == given->constant; }))
      out.missing.push_back(given);
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
    const Elements held(values[i]);
    out.push_back({program.state[i].name, program.state[i].buffer, held.count() > 0 ? held[0] : 0, values[i]});
    // the numbers of a source are of a size that somebody chose
    out.back().contents.bytes = changed(values[i], [&](double constant) {
      const double size = std::abs(constant);
      return constant + spread(random) * (fill->literal && size > 0 ? size : std::max(1.0, size));
    });
  }
  return out;
}

}  // namespace tritonrl::judge
