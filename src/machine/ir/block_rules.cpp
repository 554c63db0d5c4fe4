#include "machine/ir/rules.h"
#include "machine/ir/types.h"

namespace tritonrl::machine {
namespace {

bool is_matrix(const Type& type) {
  return type.kind == Type::Kind::kTensor && is_number(type.scalar) && type.shape.size() >= 2 && type.shape.size() <= 3;
}

struct Sizes {
  std::int64_t batch = 1, rows = 0, columns = 0;
};

Sizes sizes_of(const Type& type) {
  const std::size_t rank = type.shape.size();
  return {rank == 3 ? type.shape[0] : 1, type.shape[rank - 2], type.shape[rank - 1]};
}

// `tall` and `wide`: elements in one of a's rows and b's columns.
void check_matrices(const TypedOperation& op, const Type& a, const Type& b, const Type& c, std::int64_t tall = 1,
                    std::int64_t wide = 1) {
  op.require(is_matrix(a) && is_matrix(b) && is_matrix(c) && c == op.result(), "types do not fit");
  op.require(a.shape.size() == b.shape.size() && a.shape.size() == c.shape.size(), "ranks differ");
  const Sizes left = sizes_of(a), right = sizes_of(b), out = sizes_of(c);
  op.require(left.batch == right.batch && left.batch == out.batch && left.rows * tall == out.rows &&
                 right.columns * wide == out.columns,
             "shapes do not fit");
}

void check_dot(const TypedOperation& op) {
  const Type &a = op.operand(0), &b = op.operand(1), &c = op.operand(2);
  check_matrices(op, a, b, c);
  op.require(sizes_of(a).columns == sizes_of(b).rows, "shapes do not fit");
  op.require(is_float(a.scalar) == is_float(c.scalar) && is_float(b.scalar) == is_float(c.scalar),
             "elements do not fit");
}

// A scale for each row (of the left side) or column, and for each part of what is summed over.
void check_scale(const TypedOperation& op, const Type& scale, std::int64_t lines, std::int64_t depth) {
  op.require(is_matrix(scale), "a scale does not fit");
  const Sizes sizes = sizes_of(scale);
  const std::int64_t part = scale.scalar == Scalar::kF8E4M3 ? 16 : 32;
  op.require(sizes.rows == lines && sizes.columns == depth / part, "a scale does not fit");
}

void check_dot_scaled(const TypedOperation& op) {
  const bool scales_a = op.op().flag("a_scale"), scales_b = op.op().flag("b_scale");
  op.require(op.operands() == 3 + std::size_t{scales_a} + std::size_t{scales_b}, "numbers do not fit");
  const std::size_t right = scales_a ? 2 : 1, accumulator = right + (scales_b ? 2 : 1);
  const Type &a = op.operand(0), &b = op.operand(right), &c = op.operand(accumulator);
  // Two values of four bits in a byte, along the axis that is summed over unless the attribute says otherwise.
  struct Packed {
    std::int64_t lines = 1, depth = 1;
  };
  const auto packed = [&](std::string_view type, std::string_view along) -> Packed {
    if (op.op().string(type) != "e2m1") return {};
    if (op.op().attribute(along) == nullptr || op.op().flag(along)) return {1, 2};
    return {2, 1};
  };
  const Packed left = packed("a_elem_type", "lhs_k_pack"), other = packed("b_elem_type", "rhs_k_pack");
  check_matrices(op, a, b, c, left.lines, other.lines);
  op.require(is_float(op.result().scalar), "elements do not fit");
  const std::int64_t depth = sizes_of(a).columns * left.depth;
  op.require(depth == sizes_of(b).rows * other.depth, "shapes do not fit");
  if (scales_a) check_scale(op, op.operand(1), sizes_of(c).rows, depth);
  if (scales_b) check_scale(op, op.operand(right + 1), sizes_of(c).columns, depth);
}

// Operands are tensors of one shape.
void check_same_tensors(const TypedOperation& op) {
  for (std::size_t i = 0; i < op.operands(); ++i) {
    op.require(op.operand(i).kind == Type::Kind::kTensor && op.operand(i).shape == op.operand(0).shape,
               "shapes differ");
  }
}

// The first block's arguments are `times` elements of each operand; what the region returns is up to the caller.
void check_elements(const TypedOperation& op, std::size_t times, bool grouped) {
  const std::vector<ValueId>& arguments = op.op().regions[0].blocks[0].arguments;
  op.require(arguments.size() == op.operands() * times, "the region has other arguments");
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::size_t operand = grouped ? i / times : i % op.operands();
    op.require(op.type(arguments[i]) == scalar_of(op.operand(operand)), "the region has other arguments");
  }
}

void check_combine(const TypedOperation& op) {
  check_same_tensors(op);
  op.require(op.op().results.size() == op.operands(), "as many results as operands expected");
  std::vector<std::int64_t> shape = op.operand(0).shape;
  const std::int64_t axis = op.integer("axis", 0, static_cast<std::int64_t>(shape.size()) - 1);
  if (op.op().name == "tt.reduce") shape.erase(shape.begin() + axis);
  for (std::size_t i = 0; i < op.operands(); ++i) {
    Type expected = op.operand(i);
    expected.shape = shape;
    if (shape.empty()) expected.kind = Type::Kind::kScalar;
    op.require(op.result(i) == expected, "the result does not fit");
  }
  check_elements(op, 2, false);
}

void check_map(const TypedOperation& op) {
  check_same_tensors(op);
  op.require(!op.op().results.empty(), "no result");
  const std::int64_t pack = op.op().attribute("pack") == nullptr ? 1 : op.integer("pack", 1, 64);
  op.require(op.operand(0).count() % pack == 0, "packs do not fit");
  for (std::size_t i = 0; i < op.op().results.size(); ++i) {
    op.require(op.result(i).kind == Type::Kind::kTensor && op.result(i).shape == op.operand(0).shape, "shapes differ");
  }
  check_elements(op, static_cast<std::size_t>(pack), true);
}

constexpr Form kBlockForms[] = {
    {"tt.dot", "$ , $ , $ ,m:inputPrecision:inputPrecision D : t * t -> r", check_dot, 3, 3, 1},
    {"tt.dot_scaled", "$ sc:a_scale , $ sc:b_scale , $ lhs = w:a_elem_type rhs = w:b_elem_type D : t ,t? * t ,t? -> r",
     check_dot_scaled, 3, 5, 1},
    {"tt.reduce", "", check_combine, 1, -1, -1, 1, false, Rule::kReduce},
    {"tt.scan", "", check_combine, 1, -1, -1, 1, false, Rule::kScan},
    {"tt.map_elementwise", "", check_map, 1, -1, -1, 1, false, Rule::kMapElementwise},
};

}  // namespace

std::span<const Form> block_forms() {
  return kBlockForms;
}

}  // namespace tritonrl::machine
