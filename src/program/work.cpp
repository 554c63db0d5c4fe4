#include "program/work.h"

#include <algorithm>

#include "program/cost_parts.h"
#include "program/work_of_values.h"

namespace tritonrl::program {
namespace {

constexpr double kTranscendental = 8;  // operations an element from which on a pointwise operator is a special function

constexpr double kSquares = 2;  // and a reduction one that squares or takes differences before it adds

// x * x and x * x * x
bool is_plain_power(const Operands& o) {
  const auto exponent = o.integer("exponent");
  return o.name() == "pow" && exponent && *exponent >= 0 && *exponent <= 3;
}

PassWork& at(Work& work, WorkKind kind) {
  return work[static_cast<std::size_t>(kind)];
}

// x + a * b and its like: two operations in one call.
int pointwise_passes(const Operands& o) {
  if (o.name() == "addcmul" || o.name() == "addcdiv" || o.name() == "lerp") return 2;
  const auto alpha = o.count("alpha", 1);
  return (o.name() == "add" || o.name() == "sub" || o.name() == "rsub") && alpha != 1 ? 2 : 1;
}

// What a product adds to its result: the bias of a layer, the first operand of addmm.
double added_elements(const Operands& o) {
  const bool adds = o.tensor("bias") != nullptr || (o.name().starts_with("add") && o.name() != "add") ||
                    o.name() == "baddbmm" || o.name() == "_addmm_activation";
  return adds ? numel(o.result()) : 0;
}

}  // namespace

std::string_view to_string(WorkKind kind) {
  static constexpr std::string_view kNames[] = {
      "products", "special functions", "reduced elements", "pointwise arithmetic", "sorts and scans", "moved elements"};
  return kNames[static_cast<std::size_t>(kind)];
}

Work work_of(const Program& program, const AtenCall& call) {
  Work out{};
  const Operator* op = find_operator(call.op);
  if (op == nullptr) return out;
  const Operands o(program, call, *op);
  const double each = op->ops_per_element;
  const double n = o.elements();
  const bool special = each >= kTranscendental;
  // operations over operations an element: the elements that a kind of its own counts
  const auto counted = [&](double ops) { return each > 0 ? ops / each : n; };
  Cost heavy;
  if (is_heavy(op->kind)) add_matrix_work(o, {}, &heavy);
  if (is_complex(o)) heavy.matrix_ops *= kComplexProducts;
  switch (op->kind) {
    case OperatorKind::kView:
    case OperatorKind::kAllocate:
      break;
    case OperatorKind::kFill:
      if (!fills_from_tensors(o)) break;
      at(out, WorkKind::kMoved) = {numel(o.result()), 1};
      if (o.name() != "fill")
        at(out, WorkKind::kPointwise) = {numel(o.result()), 2};  // steps from one end to the other
      break;
    case OperatorKind::kCopy:
      at(out, changes_values(o) ? WorkKind::kPointwise : WorkKind::kMoved) = {numel(o.result()), 1};
      break;
    case OperatorKind::kPermute:
      at(out, adds_up(o) ? WorkKind::kReduced : WorkKind::kMoved) = {adds_up(o) ? n : numel(o.result()), 1};
      break;
    case OperatorKind::kRandom:
    case OperatorKind::kPointwise:
      if (is_complex(o)) {
        const ComplexPasses passes = complex_passes(o, special && !is_plain_power(o));
        at(out, WorkKind::kSpecial) = {n, passes.special};
        at(out, WorkKind::kPointwise) = {n, passes.pointwise};
        if (passes.special == 0) at(out, WorkKind::kSpecial) = {};
        break;
      }
      at(out, special && !is_plain_power(o) ? WorkKind::kSpecial : WorkKind::kPointwise) = {n, pointwise_passes(o)};
      break;
    case OperatorKind::kReduce:
    case OperatorKind::kPool:
      at(out, WorkKind::kReduced) = {counted(scalar_ops_of(o)), 1};
      if (special) at(out, WorkKind::kSpecial) = {n, 1};
      if (!special && each >= kSquares) at(out, WorkKind::kPointwise) = {n, 1};
      break;
    case OperatorKind::kNormalise:  // mean and deviation; centred, scaled, weighed, shifted
      at(out, WorkKind::kReduced) = {n, 2};
      at(out, WorkKind::kPointwise) = {n, 4};
      break;
    case OperatorKind::kSoftmax:  // largest and sum; shifted, divided
      at(out, WorkKind::kReduced) = {n, 2};
      at(out, WorkKind::kSpecial) = {n, 1};
      at(out, WorkKind::kPointwise) = {n, 2};
      break;
    case OperatorKind::kScan:
    case OperatorKind::kSort:
    case OperatorKind::kShapeQuery:
      at(out, adds_up(o) ? WorkKind::kReduced : WorkKind::kOrdered) = {n, 1};
      break;
    case OperatorKind::kMatmul:
    case OperatorKind::kConvolution:
      at(out, WorkKind::kContraction) = {heavy.matrix_ops, 1};
      at(out, WorkKind::kPointwise) = {added_elements(o), 1};
      if (o.name() == "_addmm_activation") {
        at(out, WorkKind::kPointwise) = {numel(o.result()), o.flag("use_gelu", false) ? 1 : 2};
        if (o.flag("use_gelu", false)) at(out, WorkKind::kSpecial) = {numel(o.result()), 1};
      }
      break;
    case OperatorKind::kRecurrent:  // each gate
      at(out, WorkKind::kContraction) = {heavy.matrix_ops, 1};
      at(out, WorkKind::kSpecial) = {counted(heavy.scalar_ops), 1};
      at(out, WorkKind::kPointwise) = {counted(heavy.scalar_ops), 4};
      break;
    case OperatorKind::kAttention:  // each score: a softmax of what was scaled, between two products
      at(out, WorkKind::kContraction) = {heavy.matrix_ops / 2, 2};
      at(out, WorkKind::kReduced) = {counted(heavy.scalar_ops), 2};
      at(out, WorkKind::kSpecial) = {counted(heavy.scalar_ops), 1};
      at(out, WorkKind::kPointwise) = {counted(heavy.scalar_ops), 3};
      break;
    case OperatorKind::kGather:
      if (special) {
        at(out, WorkKind::kOrdered) = {n, 1};
      } else if (each > 0 || adds_up(o)) {
        at(out, WorkKind::kReduced) = {n, 1};
      } else {
        at(out, writes_number_by_flags(o) ? WorkKind::kPointwise : WorkKind::kMoved) = {numel(o.result()), 1};
      }
      break;
    case OperatorKind::kResample:
      if (o.name().ends_with("_backward")) {  // gradients of several places are added
        at(out, WorkKind::kReduced) = {n, 1};
      } else if (o.name().find("nearest") != std::string_view::npos) {
        at(out, WorkKind::kMoved) = {numel(o.result()), 1};
      } else {
        at(out, WorkKind::kPointwise) = {numel(o.result()), 4};
      }
      break;
    case OperatorKind::kFourier:
      at(out, WorkKind::kContraction) = {scalar_ops_of(o), 1};
      break;
    case OperatorKind::kLinalg:
      at(out, WorkKind::kContraction) = {linalg_ops(o) * (is_complex(o) ? kComplexProducts : 1), 1};
      break;
    case OperatorKind::kLoss:
      at(out, WorkKind::kReduced) = {n, special ? 2 : 1};
      at(out, WorkKind::kPointwise) = {n, 2};
      if (special) at(out, WorkKind::kSpecial) = {n, 1};
      break;
  }
  const auto hide = [&](WorkKind kind, int passes) {
    PassWork& work = at(out, kind);
    work.hidden = n * std::max(0, passes - (work.each > 0 ? work.passes : 0));
  };
  if (op->kind != OperatorKind::kPointwise || pointwise_passes(o) == 1) {
    hide(WorkKind::kSpecial, op->written.special);
    hide(WorkKind::kReduced, op->written.reduced);
    hide(WorkKind::kPointwise, op->written.pointwise);
  }
  return out;
}

}  // namespace tritonrl::program
