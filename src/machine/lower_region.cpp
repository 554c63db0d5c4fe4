#include <algorithm>
#include <array>

#include "machine/lowering.h"
#include "machine/reduction.h"
#include "machine/worker.h"

namespace tritonrl::machine {
namespace {

const Step* run_region_end(Worker&, const Step&) {
  return nullptr;
}

bool is_region_end(const Operation& op) {
  return op.name == "tt.reduce.return" || op.name == "tt.scan.return" || op.name == "tt.map_elementwise.return";
}

// The region is one elementwise operation on its two arguments, in order.
const Operation* single_operation(const Region& region) {
  const Block& block = region.blocks.front();
  if (block.operations.size() != 2 || block.arguments.size() != 2) return nullptr;
  const Operation& op = block.operations[0];
  const bool plain = op.operands == block.arguments && op.results.size() == 1 &&
                     block.operations[1].operands == op.results && op.regions.empty() && op.known &&
                     op.name.starts_with("arith.");
  return plain ? &op : nullptr;
}

}  // namespace

bool Lowering::straight_line(const Region& region) const {
  for (const Block& block : region.blocks) {
    for (const Operation& op : block.operations) {
      if (op.name.starts_with("scf.") || op.name.starts_with("cf.")) return false;
      if (op.name != "tt.call") continue;
      const Function* callee = module_.find(op.string("callee"));
      if (callee == nullptr || !straight_line(callee->body)) return false;
    }
  }
  return true;
}

void Lowering::lower_reduction(const Operation& op) {
  const bool map = op.name == "tt.map_elementwise";
  const Block& block = op.regions[0].blocks.front();
  if (region_lanes_ > 0 || op.operands.empty() || (map && op.integer("pack", 1) != 1)) return lower_unknown(op);
  auto& reduction = make_detail<Reduction>();
  reduction.kind =
      map ? Reduction::Kind::kMap : (op.name == "tt.scan" ? Reduction::Kind::kScan : Reduction::Kind::kReduce);
  reduction.reverse = op.flag("reverse");
  const std::vector<std::int64_t>& shape = type(op.operands[0]).shape;
  const auto axis = static_cast<std::size_t>(op.integer("axis", 0));
  if (map) {
    reduction.size = type(op.operands[0]).count();
  } else {
    if (axis >= shape.size() || op.results.size() != op.operands.size()) return lower_unknown(op);
    for (std::size_t d = 0; d < axis; ++d) reduction.outer *= shape[d];
    reduction.size = shape[axis];
    for (std::size_t d = axis + 1; d < shape.size(); ++d) reduction.inner *= shape[d];
  }
  const std::int64_t rest = reduction.outer * reduction.inner;
  const std::int64_t lanes =
      map ? reduction.size
          : (reduction.kind == Reduction::Kind::kScan ? rest : std::max<std::int64_t>(1, reduction.size / 2) * rest);
  reduction.straight = straight_line(op.regions[0]);

  std::vector<Place> made;
  for (const ValueId value : op.results) made.push_back(allocate_for(type(value), false));
  std::vector<std::int32_t> temporary;
  reduction.operands.resize(std::max(op.operands.size(), op.results.size()));
  for (std::size_t i = 0; i < reduction.operands.size(); ++i) {
    Reduction::Operand& operand = reduction.operands[i];
    operand.from = i < op.operands.size() ? place(op.operands[i]).offset : -1;
    operand.to = i < op.results.size() ? made[i].offset : -1;
    const Type& one = type(i < op.operands.size() ? op.operands[i] : op.results[i]);
    operand.bytes = size_of(one.scalar);
    if (map && i < op.results.size() && size_of(type(op.results[i]).scalar) != operand.bytes) return lower_unknown(op);
    if (map) continue;
    operand.work = allocate(one.count() * operand.bytes);
    temporary.push_back(operand.work);
  }

  region_lanes_ = reduction.straight ? lanes : 1;
  for (std::size_t i = 0; i < block.arguments.size(); ++i) {
    const ValueId argument = block.arguments[i];
    // Regions' places are their own: the prologue writes constants of all regions, and steps of one must not meet them.
    Place inside = allocate_for(type(argument), true);
    inside.invariant = false;
    bind(argument, inside);
    Reduction::Operand& operand = reduction.operands[i % op.operands.size()];
    (i < op.operands.size() ? operand.left : operand.right) = inside.offset;
  }
  const Operation* single = map || op.operands.size() != 1 ? nullptr : single_operation(op.regions[0]);
  if (single != nullptr) {
    const Scalar scalar = type(op.operands[0]).scalar;
    const std::array<Scalar, 2> in = {scalar, scalar};
    const ElementwiseOp found = find_elementwise(*single, in, type(single->results[0]).scalar, Scalar::kNone, 0);
    reduction.single = found.run;
    reduction.single_work = found.operations;
    reduction.single_kind = is_float(scalar) ? (scalar == Scalar::kF64 ? Work::kDouble : Work::kFloat) : Work::kInteger;
  }
  reduction.region = code_.regions.size();
  if (op.regions[0].blocks.size() != 1) {
    region_lanes_ = 0;
    return lower_unknown(op);
  }
  for (std::size_t i = 0; i < block.operations.size(); ++i) {
    const Operation& inner = block.operations[i];
    if (is_region_end(inner)) {
      for (std::size_t r = 0; r < inner.operands.size() && r < reduction.operands.size(); ++r) {
        reduction.operands[r].made = operand(inner.operands[r], inner);
      }
      emit(inner).run = run_region_end;
      break;
    }
    lower_operation(inner);
    release_dead(block, static_cast<std::int32_t>(i));
  }
  region_lanes_ = 0;
  for (const std::int32_t offset : temporary) frame_.release(offset);
  for (std::size_t r = 0; r < op.results.size(); ++r) bind(op.results[r], made[r]);
  Step& step = emit(op);
  step.run = run_reduction;
  step.detail = &reduction;
  step.count = reduction.outer * reduction.size * reduction.inner;
  step.scalar = type(op.results[0]).scalar;
}

}  // namespace tritonrl::machine
