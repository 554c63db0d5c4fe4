#include "machine/ir/regions.h"

#include "machine/ir/types.h"

namespace tritonrl::machine {
namespace {

using Types = std::vector<Type>;

Types types_of(const TypedOperation& op, const std::vector<ValueId>& values, std::size_t first = 0) {
  Types types;
  for (std::size_t i = first; i < values.size(); ++i) types.push_back(op.type(values[i]));
  return types;
}

const std::vector<ValueId>& arguments_of(const TypedOperation& op, std::size_t region) {
  return op.op().regions[region].blocks[0].arguments;
}

// Every block of a region that does not branch ends so, and hands these on (behind `first` operands of its own).
void check_ends(const TypedOperation& op, std::size_t region, std::string_view terminator, const Types& types,
                std::size_t first = 0) {
  for (const Block& block : op.op().regions[region].blocks) {
    op.require(!block.operations.empty(), "an empty block");
    const Operation& last = block.operations.back();
    if (last.known && (!last.successors.empty() || last.name == "ub.unreachable")) continue;
    op.require(last.known && last.name == terminator, "a region that ends otherwise");
    const TypedOperation end(op.function(), last);
    check_types(end, first, types);
  }
}

void check_for(const TypedOperation& op) {
  const Type& index = op.operand(0);
  op.require(index.kind == Type::Kind::kScalar && is_integer(index.scalar), "not an integer");
  op.require(op.operand(1) == index && op.operand(2) == index, "types differ");
  Types carried = types_of(op, op.op().results);
  check_types(op, 3, carried);
  check_ends(op, 0, "scf.yield", carried);
  carried.insert(carried.begin(), index);
  op.require(types_of(op, arguments_of(op, 0)) == carried, "the region has other arguments");
}

void check_while(const TypedOperation& op) {
  const Types in = types_of(op, op.op().operands), out = types_of(op, op.op().results);
  op.require(types_of(op, arguments_of(op, 0)) == in, "the region has other arguments");
  op.require(types_of(op, arguments_of(op, 1)) == out, "the region has other arguments");
  check_ends(op, 0, "scf.condition", out, 1);
  check_ends(op, 1, "scf.yield", in);
}

void check_cases(const TypedOperation& op, Rule rule) {
  const std::size_t regions = op.op().regions.size();
  if (rule == Rule::kIf) {
    op.require(is_scalar(op.operand(0), Scalar::kI1), "the condition is not i1");
    op.require(regions == 2 || (regions == 1 && op.op().results.empty()), "a case is missing");
  } else {
    op.require(is_scalar(op.operand(0), Scalar::kIndex), "not an index");
    op.require(op.integers("cases").size() + 1 == regions, "as many regions as cases expected");
  }
  const Types out = types_of(op, op.op().results);
  for (std::size_t i = 0; i < regions; ++i) {
    op.require(arguments_of(op, i).empty(), "the region has other arguments");
    check_ends(op, i, "scf.yield", out);
  }
}

void check_elements_returned(const TypedOperation& op, Rule rule) {
  const auto pack = static_cast<std::size_t>(rule == Rule::kMapElementwise ? op.op().integer("pack", 1) : 1);
  const std::vector<ValueId>& like = rule == Rule::kMapElementwise ? op.op().results : op.op().operands;
  Types types;
  for (const ValueId value : like) types.insert(types.end(), pack, scalar_of(op.type(value)));
  check_ends(op, 0, op.op().name + ".return", types);
}

void check_branch(const TypedOperation& op, std::size_t successors, const Region& region) {
  op.require(op.op().successors.size() == successors, "another number of successors expected");
  for (const Successor& successor : op.op().successors) {
    const Block& target = region.blocks[static_cast<std::size_t>(successor.block)];
    op.require(types_of(op, successor.arguments) == types_of(op, target.arguments), "the block has other arguments");
  }
}

}  // namespace

void check_types(const TypedOperation& op, std::size_t first, const Types& types) {
  op.require(op.operands() == first + types.size(), "another number of values expected");
  for (std::size_t i = 0; i < types.size(); ++i) op.require(op.operand(first + i) == types[i], "types differ");
}

void check_region_shapes(const TypedOperation& op, Rule rule) {
  const bool branches = rule == Rule::kExecuteRegion || rule == Rule::kMapElementwise;
  for (const Region& region : op.op().regions) {
    op.require(branches ? !region.blocks.empty() : region.blocks.size() == 1, "not so many blocks");
  }
}

void check_control(const TypedOperation& op, Rule rule, const Region& region) {
  switch (rule) {
    case Rule::kFor:
      check_for(op);
      break;
    case Rule::kWhile:
      check_while(op);
      break;
    case Rule::kIf:
    case Rule::kIndexSwitch:
      check_cases(op, rule);
      break;
    case Rule::kExecuteRegion:
      op.require(arguments_of(op, 0).empty(), "the region has other arguments");
      check_ends(op, 0, "scf.yield", types_of(op, op.op().results));
      break;
    case Rule::kReduce:
    case Rule::kScan:
    case Rule::kMapElementwise:
      check_elements_returned(op, rule);
      break;
    case Rule::kCondition:
      op.require(is_scalar(op.operand(0), Scalar::kI1), "the condition is not i1");
      break;
    case Rule::kBranch:
      check_branch(op, 1, region);
      return;
    case Rule::kConditionalBranch:
      op.require(is_scalar(op.operand(0), Scalar::kI1), "the condition is not i1");
      check_branch(op, 2, region);
      return;
    case Rule::kSwitch:
      op.require(op.operand(0).kind == Type::Kind::kScalar && is_integer(op.operand(0).scalar), "not an integer");
      check_branch(op, op.integers("cases").size() + 1, region);
      return;
    default:
      break;
  }
  op.require(op.op().successors.empty(), "no branch");
}

}  // namespace tritonrl::machine
