#include <algorithm>

#include "judge/rules/groups.h"
#include "judge/rules/work.h"
#include "program/cost.h"
#include "program/operator_table.h"

// Rule work: torch does less than in the reference.

namespace tritonrl::judge {

using program::AtenCall;
using program::OperatorKind;
using program::Program;
using program::Step;

namespace {

// A convolution and the matrix product that does the same are the same work.
constexpr program::CostOptions kAlike{.tf32_matmul = false, .tf32_convolution = false};

std::string percent(double part) {
  const int tenths = static_cast<int>(part * 1000 + 0.5);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " %";
}

bool is_rearrangement(OperatorKind kind) {
  return kind == OperatorKind::kPermute || kind == OperatorKind::kGather;
}

}  // namespace

const program::Operator* computing_operator(const Step& step) {
  const auto* call = std::get_if<AtenCall>(&step);
  const program::Operator* op = call == nullptr ? nullptr : program::find_operator(call->op);
  return op != nullptr && program::is_compute(op->kind) ? op : nullptr;
}

AtenWork aten_work(const Program& program, const program::Target& target) {
  AtenWork out;
  for (const Step& step : program.forwards.back().steps) {
    const auto* call = std::get_if<AtenCall>(&step);
    const program::Operator* op = call == nullptr ? nullptr : program::find_operator(call->op);
    if (op == nullptr || (!program::is_compute(op->kind) && op->kind != OperatorKind::kCopy)) continue;
    program::Cost cost = program::cost_of(program, *call, kAlike);
    cost.launches = 0;
    const double seconds = program::modelled_seconds(cost, target);
    if (op->kind == OperatorKind::kCopy) {
      out.copies += seconds;
      continue;
    }
    ++out.operators[std::string(program::plain_name(op->name))];
    (is_rearrangement(op->kind) ? out.rearrangement : out.arithmetic) += seconds;
  }
  return out;
}

namespace {

// An operator of the reference that the candidate calls less often, or not at all.
bool lacks_operator(const AtenWork& reference, const AtenWork& candidate) {
  return std::any_of(reference.operators.begin(), reference.operators.end(), [&](const auto& one) {
    const auto found = candidate.operators.find(one.first);
    return found == candidate.operators.end() || found->second < one.second;
  });
}

// ATen arithmetic takes at most the reference's modelled time, and less once rearrangements (cat, pad, flip, gather)
// are counted on both sides: less by a noticeable part, or by a whole operator. Allocations, fills, copies and casts
// are free, but for a reference that only moves data: there torch must move less of it. Nothing to compare where the
// reference does nothing at all.
Checked all_in_torch(const Evidence& evidence) {
  const Program& reference = *evidence.reference;
  const Program& candidate = *evidence.candidate;
  const program::Target& target = evidence.target;
  const AtenWork want = aten_work(reference, target);
  const AtenWork have = aten_work(candidate, target);
  const bool moves_only = want.arithmetic <= 0;
  const double all_want = want.arithmetic + want.rearrangement + (moves_only ? want.copies : 0);
  const double all_have = have.arithmetic + have.rearrangement + (moves_only ? have.copies : 0);
  if (all_want <= 0) return std::nullopt;
  constexpr double kRounding = 1e-9;
  constexpr double kNoticeable = 0.02;
  const bool more = have.arithmetic > want.arithmetic * (1 + kRounding);
  const bool less = all_have < all_want * (1 - kNoticeable) ||
                    (all_have < all_want * (1 - kRounding) && (moves_only || lacks_operator(want, have)));
  if (!more && less) return std::nullopt;
  program::SourceLine heaviest;
  double most = 0;
  std::string name;
  for (const Step& step : candidate.forwards.back().steps) {
    const program::Operator* op = computing_operator(step);
    if (op == nullptr) continue;
    const double seconds = program::modelled_seconds(program::cost_of(candidate, std::get<AtenCall>(step)), target);
    if (seconds <= most) continue;
    most = seconds;
    heaviest = place_of(step);
    name = program::plain_name(op->name);
  }
  return Violation{"torch still does " + percent(all_have / all_want) + " of the reference's work in forward" +
                       (name.empty() ? "" : " (most of it: " + name + ")") + "; the kernels replace none of it",
                   heaviest, "let the kernel compute at least one of the reference's operators instead of torch"};
}

using record::Stage;
using Kind = record::VerdictKind;

constexpr Rule kWorkRules[] = {
    {"work", Stage::kCompile, Kind::kCheated, LooksAt::kAnyRecording, "work", "", all_in_torch,
     "torch computes no less in forward than in the reference: the kernels replace none of it"},
};

}  // namespace

std::span<const Rule> work_rules() {
  return kWorkRules;
}

}  // namespace tritonrl::judge
