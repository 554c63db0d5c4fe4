#include "judge/rules/work.h"

#include <algorithm>
#include <numeric>

#include "judge/rules/step_access.h"
#include "judge/rules/value_origin.h"

namespace tritonrl::judge {

using program::AtenCall;
using program::WorkKind;

namespace {

constexpr double kRounding = 1e-9;
constexpr double kAnyFormula = 64;  // passes that a table of values may stand for, whatever was put into it

// Arithmetic that torch does beyond the reference's, of all kinds. What the reference has fused may be written out.
double done_beside(const BothWorks& works, const WorkMeasure& measure) {
  double out = 0;
  for (std::size_t k = 0; k < program::kWorkKinds; ++k) {
    const auto kind = static_cast<WorkKind>(k);
    if (kind == WorkKind::kMoved) continue;
    const double hidden = std::max(0.0, works.reference.hidden[k] - works.candidate.hidden[k]) * measure.written;
    out += std::max(0.0, works.candidate.sum(kind) - works.reference.sum(kind) - hidden);
  }
  return out;
}

bool reads_tainted(const program::Program& program, const AtenCall& call, const std::vector<bool>& tainted) {
  bool out = false;
  const auto look = [&](program::TensorRef ref) {
    out = out || tainted[static_cast<std::size_t>(program.tensors[static_cast<std::size_t>(ref.index)].storage)];
  };
  for (const program::Value& value : call.args) program::for_each_tensor(value, look);
  for (const auto& [name, value] : call.kwargs) program::for_each_tensor(value, look);
  return out;
}

bool asks_tainted(const program::Program& program, const program::Step& step, const std::vector<bool>& tainted) {
  const auto* question = std::get_if<program::Question>(&step);
  return question != nullptr &&
         std::any_of(question->about.begin(), question->about.end(), [&](program::TensorRef ref) {
           return tainted[static_cast<std::size_t>(program.tensors[static_cast<std::size_t>(ref.index)].storage)];
         });
}

}  // namespace

const program::Operator* computing_operator(const program::Step& step) {
  const auto* call = std::get_if<AtenCall>(&step);
  const program::Operator* op = call == nullptr ? nullptr : program::find_operator(call->op);
  return op != nullptr && program::is_compute(op->kind) ? op : nullptr;
}

double TorchWork::sum(WorkKind kind) const {
  return std::accumulate(of(kind).begin(), of(kind).end(), 0.0);
}

bool TorchWork::any_arithmetic() const {
  return std::any_of(calls.begin(), calls.end() - 1, [](const auto& one) { return !one.empty(); });
}

bool TorchWork::any() const {
  return any_arithmetic() || !of(WorkKind::kMoved).empty();
}

TorchWork torch_work(const program::Program& program, bool inputs_only) {
  TorchWork out;
  const ValueOrigins origins = origins_of(program, static_cast<int>(program.forwards.size()) - 1);
  bool asked = false;  // Python knows a number that depends on inputs, and may pass it on
  for (const program::Step& step : program.forwards.back().steps) {
    const auto* call = std::get_if<AtenCall>(&step);
    asked = asked || asks_tainted(program, step, origins.inputs);
    if (call == nullptr) continue;
    const bool depends = reads_tainted(program, *call, origins.inputs) || (asked && has_fraction(step));
    if (inputs_only && !depends) continue;
    program::Work work = program::work_of(program, *call);
    if (looks_up_function(program, *call, origins)) {
      const double n = work[static_cast<std::size_t>(WorkKind::kMoved)].each;
      work[static_cast<std::size_t>(WorkKind::kSpecial)] = {n, 1, kAnyFormula * n};
      work[static_cast<std::size_t>(WorkKind::kPointwise)].hidden = kAnyFormula * n;
    }
    for (std::size_t kind = 0; kind < work.size(); ++kind) {
      out.hidden[kind] += work[kind].hidden;
      if (work[kind].each > 0)
        out.calls[kind].insert(out.calls[kind].end(), static_cast<std::size_t>(work[kind].passes), work[kind].each);
    }
  }
  for (std::vector<double>& calls : out.calls) std::sort(calls.begin(), calls.end(), std::greater<>());
  return out;
}

BothWorks torch_works(const program::Program& reference, const program::Program& candidate) {
  BothWorks out{torch_work(reference, true), torch_work(candidate, true)};
  if (!out.reference.any()) out = {torch_work(reference, false), torch_work(candidate, false)};
  return out;
}

bool replaces(const BothWorks& works, WorkKind kind, const WorkMeasure& measure) {
  std::vector<double> open = works.reference.of(kind);  // calls of the reference that torch does not do
  double rest = 0;
  for (const double done : works.candidate.of(kind)) {
    // the smallest that it can be
    const auto same = std::find_if(open.rbegin(), open.rend(), [&](double one) {
      return done <= one * (1 + kRounding) && done >= measure.same * one;
    });
    if (same == open.rend()) {
      rest += done;
    } else {
      open.erase(std::next(same).base());
    }
  }
  // fused calls of torch's that the reference does not have may be what it writes out
  const auto k = static_cast<std::size_t>(kind);
  const double fused = std::max(0.0, works.candidate.hidden[k] - works.reference.hidden[k]) * measure.written;
  const double left = std::accumulate(open.begin(), open.end(), 0.0) - fused;
  if (measure.beside) rest += done_beside(works, measure);
  return left > kRounding * works.reference.sum(kind) && rest <= measure.rest * left;
}

}  // namespace tritonrl::judge
