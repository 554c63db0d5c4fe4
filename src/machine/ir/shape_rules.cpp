#include <cstdint>
#include <limits>

#include "machine/ir/rules.h"
#include "machine/ir/types.h"

namespace tritonrl::machine {
namespace {

using Shape = std::vector<std::int64_t>;

// Operand 0 and the result are tensors of one element type.
void check_tensors(const TypedOperation& op) {
  op.require(op.operand(0).kind == Type::Kind::kTensor && op.result().kind == Type::Kind::kTensor, "not a tensor");
  op.require(same_element(op.operand(0), op.result()), "elements differ");
}

void check_range(const TypedOperation& op) {
  const Type& type = op.result();
  constexpr std::int64_t kLeast = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  const std::int64_t start = op.integer("start", kLeast, kMost), end = op.integer("end", kLeast, kMost + 1);
  op.require(type.kind == Type::Kind::kTensor && type.scalar == Scalar::kI32 && type.shape == Shape{end - start},
             "the range does not fit the type");
}

void check_splat(const TypedOperation& op) {
  op.require(op.operand(0).kind == Type::Kind::kScalar && op.result().kind == Type::Kind::kTensor &&
                 same_element(op.operand(0), op.result()),
             "types do not fit");
}

void check_unsplat(const TypedOperation& op) {
  op.require(op.operand(0).kind == Type::Kind::kTensor && op.operand(0).count() == 1 &&
                 op.result() == scalar_of(op.operand(0)),
             "types do not fit");
}

void check_broadcast(const TypedOperation& op) {
  check_tensors(op);
  const Shape& from = op.operand(0).shape;
  const Shape& to = op.result().shape;
  op.require(from.size() == to.size(), "ranks differ");
  for (std::size_t i = 0; i < from.size(); ++i) op.require(from[i] == to[i] || from[i] == 1, "shapes do not fit");
}

void check_expand_dims(const TypedOperation& op) {
  check_tensors(op);
  Shape shape = op.operand(0).shape;
  shape.insert(shape.begin() + op.integer("axis", 0, static_cast<std::int64_t>(shape.size())), 1);
  op.require(op.result().shape == shape, "shapes do not fit");
}

void check_reshape(const TypedOperation& op) {
  check_tensors(op);
  op.require(op.operand(0).count() == op.result().count(), "shapes do not fit");
}

void check_trans(const TypedOperation& op) {
  check_tensors(op);
  const Shape& from = op.operand(0).shape;
  const Shape& order = op.integers("order");
  op.require(is_permutation(order, from.size()) && op.result().shape.size() == from.size(), "the order is none");
  for (std::size_t i = 0; i < order.size(); ++i) {
    op.require(op.result().shape[i] == from[static_cast<std::size_t>(order[i])], "shapes do not fit");
  }
}

void check_join(const TypedOperation& op) {
  check_tensors(op);
  Shape shape = op.operand(0).shape;
  shape.push_back(2);
  op.require(op.operand(0) == op.operand(1) && op.result().shape == shape, "types do not fit");
}

void check_split(const TypedOperation& op) {
  check_tensors(op);
  Shape shape = op.result().shape;
  shape.push_back(2);
  op.require(op.result(0) == op.result(1) && op.operand(0).shape == shape, "types do not fit");
}

// One behind the other along the first axis.
void check_cat(const TypedOperation& op) {
  check_tensors(op);
  op.require(op.operand(1).kind == Type::Kind::kTensor && same_element(op.operand(0), op.operand(1)),
             "elements differ");
  const Shape& other = op.operand(1).shape;
  Shape shape = op.operand(0).shape;
  op.require(shape.size() == other.size() && shape.size() == op.result().shape.size(), "ranks differ");
  for (std::size_t i = 1; i < shape.size(); ++i) op.require(shape[i] == other[i], "shapes do not fit");
  shape[0] += other[0];
  op.require(op.result().shape == shape, "shapes do not fit");
}

void check_gather(const TypedOperation& op) {
  check_tensors(op);
  const Type& source = op.operand(0);
  const Type& indices = op.operand(1);
  op.require(indices.kind == Type::Kind::kTensor && is_integer(indices.scalar) && indices.shape == op.result().shape &&
                 indices.shape.size() == source.shape.size(),
             "the indices do not fit");
  const std::int64_t axis = op.integer("axis", 0, static_cast<std::int64_t>(source.shape.size()) - 1);
  for (std::size_t i = 0; i < source.shape.size(); ++i) {
    op.require(static_cast<std::int64_t>(i) == axis || indices.shape[i] == source.shape[i], "the indices do not fit");
  }
}

void check_histogram(const TypedOperation& op) {
  const Type& source = op.operand(0);
  const Type& bins = op.result();
  op.require(source.kind == Type::Kind::kTensor && bins.kind == Type::Kind::kTensor && is_integer(source.scalar) &&
                 is_integer(bins.scalar) && source.shape.size() == 1 && bins.shape.size() == 1,
             "types do not fit");
  op.require(op.operands() < 2 || op.operand(1) == truth_like(source), "the mask is not i1 in that shape");
}

constexpr Form kShapeForms[] = {
    {"tt.splat", kArrow, check_splat, 1, 1, 1},
    {"tt.unsplat", "$ D : t =scalar", check_unsplat, 1, 1, 1},
    {"tt.broadcast", kArrow, check_broadcast, 1, 1, 1},
    {"tt.expand_dims", kArrow, check_expand_dims, 1, 1, 1},
    {"tt.reshape", "$ u:allow_reorder u:efficient_layout D : t -> r", check_reshape, 1, 1, 1},
    {"tt.trans", kArrow, check_trans, 1, 1, 1},
    {"tt.join", "$ , $ D : t -> r", check_join, 2, 2, 1},
    {"tt.split", "$ D : t -> r =again", check_split, 1, 1, 2},
    {"tt.cat", "$ , $ D : t -> r", check_cat, 2, 2, 1},
    {"tt.gather", "$ [ $ ] D : fn", check_gather, 2, 2, 1},
    {"tt.histogram", "$ ,$? D : t -> r", check_histogram, 1, 2, 1},
    {"tt.make_range", "D : r", check_range, 0, 0, 1},
};

}  // namespace

std::span<const Form> shape_forms() {
  return kShapeForms;
}

}  // namespace tritonrl::machine
