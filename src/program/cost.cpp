#include "program/cost.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "program/cost_parts.h"

namespace tritonrl::program {
namespace {

bool is_double(DType dtype) {
  return dtype == DType::kFloat64 || dtype == DType::kComplex128;
}

Cost cost_of_unknown(const Program& program, const AtenCall& call) {
  Cost cost{.launches = 1};
  const auto add = [&](const Value& value, double* bytes) {
    for_each_tensor(
        value, [&](TensorRef ref) { *bytes += unique_bytes(program.tensors[static_cast<std::size_t>(ref.index)]); });
  };
  for (const Value& value : call.args) add(value, &cost.bytes_read);
  for (const auto& [name, value] : call.kwargs) add(value, &cost.bytes_read);
  add(call.result, &cost.bytes_written);
  return cost;
}

}  // namespace

double rate_of(const Target& target, Precision precision) {
  switch (precision) {
    case Precision::kFp64:
      return target.fp64;
    case Precision::kFp32:
      return target.fp32;
    case Precision::kTf32:
      return target.tf32;
    case Precision::kFp16:
      return target.fp16;
    case Precision::kBf16:
      return target.bf16;
    case Precision::kFp8:
      return target.fp8 > 0 ? target.fp8 : target.fp16;  // without such units it is widened
    case Precision::kInt8:
      return target.int8;
  }
  return target.fp32;
}

std::string_view to_string(Precision precision) {
  constexpr std::array<std::string_view, 7> kNames = {"fp64", "fp32", "tf32", "fp16", "bf16", "fp8", "int8"};
  return kNames[static_cast<std::size_t>(precision)];
}

Cost cost_of(const Program& program, const AtenCall& call, const CostOptions& options) {
  const Operator* op = find_operator(call.op);
  if (op == nullptr) return cost_of_unknown(program, call);
  const Operands operands(program, call, *op);
  Cost cost;
  const Traffic traffic = traffic_of(program, operands);
  if (traffic.none) return cost;
  cost.bytes_read = traffic.read;
  cost.bytes_written = traffic.written;
  cost.host_bytes = traffic.host;
  cost.launches = 1;
  if (is_heavy(op->kind)) {
    add_matrix_work(operands, options, &cost);
  } else {
    cost.scalar_ops = scalar_ops_of(operands);
  }
  if (operands.input() != nullptr && is_double(operands.input()->dtype)) cost.scalar_precision = Precision::kFp64;
  return cost;
}

Cost cost_of(const Program& program, const Launch& launch) {
  Cost cost{.launches = 1};
  std::vector<int> seen;
  if (launch.variants.empty()) return cost;
  for (const LaunchArgument& argument : launch.variants.front().arguments) {
    for_each_tensor(argument.value, [&](TensorRef ref) {
      if (std::find(seen.begin(), seen.end(), ref.index) != seen.end()) return;
      seen.push_back(ref.index);
      cost.bytes_read += unique_bytes(program.tensors[static_cast<std::size_t>(ref.index)]);
    });
  }
  return cost;
}

double modelled_seconds(const Cost& cost, const Target& target) {
  const double memory = cost.bytes() / (target.memory_bandwidth * target.copy_efficiency);
  const double matrix = cost.matrix_ops / (rate_of(target, cost.matrix_precision) * target.matrix_efficiency);
  const double scalar = cost.scalar_ops / rate_of(target, cost.scalar_precision);
  return cost.launches * target.launch_overhead + std::max({memory, matrix, scalar}) +
         cost.host_bytes / target.host_bandwidth;
}

double eager_seconds(const Program& program, const AtenCall& call, const Target& target, const CostOptions& options) {
  const Cost cost = cost_of(program, call, options);
  const Operator* op = find_operator(call.op);
  if (op == nullptr || cost.launches == 0) return modelled_seconds(cost, target);
  return eager_seconds(program, Operands(program, call, *op), cost, target);
}

ProgramCost cost_of(const Program& program, std::span<const Step> steps, const Target& target,
                    const CostOptions& options) {
  ProgramCost total;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    StepCost step;
    step.step = i;
    if (const auto* call = std::get_if<AtenCall>(&steps[i])) {
      const Operator* op = find_operator(call->op);
      if (op != nullptr) step.kind = op->kind;
      step.cost = cost_of(program, *call, options);
      step.seconds = eager_seconds(program, *call, target, options);
      ++total.calls;
    } else if (const auto* launch = std::get_if<Launch>(&steps[i])) {
      step.launch = true;
      step.cost = cost_of(program, *launch);
      step.seconds = modelled_seconds(step.cost, target);
      ++total.launches;
      total.has_unknown = true;
    } else {
      ++total.questions;
      continue;
    }
    total.bytes_read += step.cost.bytes_read;
    total.bytes_written += step.cost.bytes_written;
    total.matrix_ops += step.cost.matrix_ops;
    total.scalar_ops += step.cost.scalar_ops;
    total.seconds += step.seconds;
    if (step.launch) total.launch_seconds += step.seconds;
    total.steps.push_back(step);
  }
  if (total.seconds > 0) total.seconds += target.start_overhead;
  return total;
}

ProgramCost cost_of(const Program& program, const Target& target, std::size_t forward, const CostOptions& options) {
  TRL_CHECK(forward < program.forwards.size(), "no such forward pass");
  return cost_of(program, program.forwards[forward].steps, target, options);
}

}  // namespace tritonrl::program
