#include "program/level.h"

#include <algorithm>
#include <tuple>

#include "base/check.h"
#include "program/cost_operands.h"

namespace tritonrl::program {
namespace {

constexpr double kBookkeepingElements = 16;
constexpr int kFusionCalls = 12;      // of a level 2 task with heavy calls
constexpr int kSplitCalls = 10;       // light calls that still are one operator
constexpr int kLightFusion = 30;      // light calls that still are a fusion
constexpr int kHeavyOfBlock = 3;      // a block counts as so many heavy calls
constexpr int kHeavyOfPair = 2;       // heavy calls that are an architecture
constexpr int kStructuredOfPair = 3;  // among so many structured ones

const std::vector<Step>& steps_of(const Program& program, std::size_t forward) {
  TRL_CHECK(forward < program.forwards.size(), "no such forward pass");
  return program.forwards[forward].steps;
}

// An operator with a structure of its own, so that two of them are a fusion.
bool is_structured(OperatorKind kind) {
  switch (kind) {
    case OperatorKind::kNormalise:
    case OperatorKind::kSoftmax:
    case OperatorKind::kScan:
    case OperatorKind::kSort:
    case OperatorKind::kPool:
    case OperatorKind::kResample:
    case OperatorKind::kFourier:
    case OperatorKind::kLinalg:
      return true;
    default:  // losses too: torch splits cross entropy into a softmax and a loss
      return false;
  }
}

int heavy_weight(const Operands& operands) {
  if (!is_heavy(operands.op().kind)) return 0;
  if (operands.op().kind == OperatorKind::kRecurrent) {
    return operands.name().find("_cell") != std::string_view::npos ? 2 : kHeavyOfBlock;
  }
  return operands.tensor("qkv_weight") != nullptr ? kHeavyOfBlock : 1;
}

}  // namespace

std::vector<OperatorCount> operators_of(const Program& program, std::size_t forward) {
  std::vector<OperatorCount> counts;
  for (const Step& step : steps_of(program, forward)) {
    const auto* call = std::get_if<AtenCall>(&step);
    const Operator* op = call == nullptr ? nullptr : find_operator(call->op);
    if (op == nullptr || !is_compute(op->kind)) continue;
    auto known =
        std::find_if(counts.begin(), counts.end(), [&](const OperatorCount& count) { return count.op == op->name; });
    if (known == counts.end()) {
      known = counts.insert(known, {.op = op->name, .kind = op->kind, .heavy = is_heavy(op->kind)});
    }
    ++known->calls;
  }
  return counts;
}

void LevelCounts::add(std::string_view name, OperatorKind kind, int heavy_weight, int times) {
  calls += times;
  heavy += heavy_weight * times;
  convolutions += kind == OperatorKind::kConvolution ? times : 0;
  structured += is_structured(kind) ? times : 0;
  masks += name == "tril" || name == "triu" ? times : 0;
  auto& names = heavy_weight > 0 ? heavy_names : light_names;
  if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
}

LevelEstimate level_of(const Program& program, std::size_t forward) {
  std::vector<Operands> computing;
  double largest = 0;
  for (const Step& step : steps_of(program, forward)) {
    const auto* call = std::get_if<AtenCall>(&step);
    const Operator* op = call == nullptr ? nullptr : find_operator(call->op);
    if (op == nullptr || !is_compute(op->kind)) continue;
    largest = std::max(largest, computing.emplace_back(program, *call, *op).elements());
  }
  // A module on tiny inputs (KernelBook's are often 4 x 4) is no bookkeeping.
  const double bookkeeping = std::min(kBookkeepingElements, largest / 2);
  LevelCounts counts;
  for (const Operands& operands : computing) {
    const int weight = heavy_weight(operands);
    if (weight > 0 || operands.elements() > bookkeeping) counts.add(operands.name(), operands.op().kind, weight);
  }
  return level_of(counts);
}

LevelEstimate level_of(const LevelCounts& counts) {
  const auto joined = [](const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 8); ++i) text += (i == 0 ? "" : ", ") + names[i];
    return names.size() > 8 ? text + ", …" : text;
  };
  const auto [calls, heavy, structured, masks] =
      std::tuple(counts.calls, counts.heavy, counts.structured, counts.masks);
  LevelEstimate estimate;
  if (!counts.heavy_names.empty()) estimate.why.push_back("heavy: " + joined(counts.heavy_names));
  if (!counts.light_names.empty()) estimate.why.push_back("light: " + joined(counts.light_names));
  const auto decide = [&](int level, const std::string& reason) {
    estimate.level = level;
    estimate.why.push_back(reason);
    return estimate;
  };
  const std::string in_all = std::to_string(calls) + (calls == 1 ? " call" : " calls");
  if (heavy >= kHeavyOfBlock)
    return decide(3, "an architecture: " + std::to_string(heavy) + " heavy layers, " + in_all);
  if (heavy > 0) {
    if (calls > kFusionCalls) return decide(3, "an architecture: heavy calls among " + in_all);
    if (calls - masks == 1) return decide(1, "one heavy operator");
    if (calls == 2 && counts.convolutions == 2) return decide(1, "a separable convolution");
    if (heavy == kHeavyOfPair && structured >= kStructuredOfPair) {
      return decide(3,
                    "an architecture: two heavy layers among " + std::to_string(structured) + " structured operators");
    }
    return decide(2, "a fusion around heavy calls: " + in_all);
  }
  if (calls > kLightFusion) return decide(3, "a long list of light calls: " + in_all);
  if (calls > kSplitCalls) return decide(2, "a fusion of light calls: " + in_all);
  if (structured > 1) return decide(2, "a fusion: " + std::to_string(structured) + " structured operators");
  return decide(1, calls == 0 ? "nothing is computed" : "one operator in " + in_all);
}

}  // namespace tritonrl::program
