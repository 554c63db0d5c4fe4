#include <algorithm>

#include "teacher/operators/argument_facts.h"
#include "teacher/operators/promotion.h"
#include "teacher/operators/shape_rules.h"

// Pointwise operators, reductions, losses and scans.
namespace tritonrl::teacher::operators {
namespace {

using program::DType;

// The shape that all tensor arguments have together, but for those that stand against rows or channels.
std::optional<Shape> joint_shape(const Bound& bound) {
  Shape shape;
  for (const Bound::Argument& argument : bound.arguments) {
    if (!argument.fact.is_tensor()) continue;
    if (argument.parameter == "weight" && bound.op->name == "prelu") continue;
    auto joined = broadcast(shape, argument.fact.shape);
    if (!joined) return std::nullopt;
    shape = std::move(*joined);
  }
  return shape;
}

Results one(DType dtype, Shape shape) {
  Results results;
  results.push_back(Fact::tensor(dtype, std::move(shape)));  // braces would copy it
  return results;
}

Results pair_of(DType dtype, const Shape& shape, DType second = DType::kInt64) {
  return {Fact::tensor(dtype, shape), Fact::tensor(second, shape)};
}

// The rows' dimensions as `dim` gives them; empty: all.
std::optional<Shape> row_dims(const Arguments& arguments) {
  const Fact& dim = arguments.fact("dim");
  if (dim.kind == Fact::Kind::kNone || dim.kind == Fact::Kind::kUnknown) return Shape{};
  return integers_in(dim);
}

std::optional<DType> sum_type(const Arguments& arguments) {
  const auto dtype = result_type(arguments.bound());
  const std::string_view name = arguments.name();
  const bool sums = name == "sum" || name == "prod" || name == "cumsum" || name == "cumprod";
  if (dtype && sums && is_integral(*dtype)) return DType::kInt64;
  return dtype;
}

}  // namespace

Results pointwise_facts(const Arguments& arguments) {
  const Bound& bound = arguments.bound();
  if (arguments.name() == "to") {
    const Fact* input = arguments.tensor("input");
    if (input == nullptr) return {};
    const auto dtype = dtype_of(arguments.fact("dtype"));
    return one(dtype.value_or(input->dtype), input->shape);
  }
  auto shape = joint_shape(bound);
  auto dtype = result_type(bound);
  if (!shape || !dtype) return {};
  if (arguments.name() == "div") {
    const bool whole = arguments.is_none("rounding_mode");
    if (whole && is_integral(*dtype)) dtype = DType::kFloat32;
  }
  if (arguments.name() == "nan_to_num" || arguments.name() == "masked_fill" || arguments.name() == "threshold") {
    dtype = arguments.tensor("input") == nullptr ? dtype : arguments.tensor("input")->dtype;
  }
  return one(*dtype, std::move(*shape));
}

Results reduction_facts(const Arguments& arguments) {
  const Bound& bound = arguments.bound();
  const auto dtype = sum_type(arguments);
  auto whole = joint_shape(bound);
  if (!dtype || !whole) return {};
  const auto keepdim = bound.find("keepdim") == nullptr ? std::optional(false) : arguments.flag("keepdim");
  std::optional<Shape> dims = bound.op->rows == Rows::kLast  ? Shape{-1}
                              : bound.op->rows == Rows::kAll ? Shape{}
                                                             : row_dims(arguments);
  if (!keepdim || !dims) return {};
  const auto shape = reduced(*whole, *dims, *keepdim);
  if (!shape) return {};
  if (bound.pair) return pair_of(*dtype, *shape);
  if (arguments.name() == "std_mean" || arguments.name() == "var_mean") return pair_of(*dtype, *shape, *dtype);
  return one(*dtype, *shape);
}

Results loss_facts(const Arguments& arguments) {
  const Bound& bound = arguments.bound();
  const Fact& reduction = arguments.fact("reduction");
  const Fact& first = bound.arguments[0].fact;
  if (reduction.kind != Fact::Kind::kText || !reduction.constant || !first.is_tensor()) return {};
  const DType dtype = is_integral(first.dtype) ? DType::kFloat32 : first.dtype;
  if (reduction.text != "none") return one(dtype, {});
  switch (bound.op->rows) {
    case Rows::kClasses: {
      const auto shape = reduced(first.shape, {first.shape.size() > 1 ? 1 : 0}, false);
      return shape ? one(dtype, *shape) : Results{};
    }
    case Rows::kLast: {
      const auto shape = reduced(first.shape, {-1}, false);
      return shape ? one(dtype, *shape) : Results{};
    }
    default: {
      auto shape = joint_shape(bound);
      return shape ? one(dtype, std::move(*shape)) : Results{};
    }
  }
}

Results scan_facts(const Arguments& arguments) {
  const Bound& bound = arguments.bound();
  const Fact* input = arguments.tensor("input");
  const auto dtype = sum_type(arguments);
  if (input == nullptr || !dtype) return {};
  Shape shape = input->shape;
  if (arguments.name() == "topk") {
    const auto dim = arguments.integer("dim"), k = arguments.integer("k");
    const auto place = dim ? dimension(*dim, shape.size()) : std::nullopt;
    if (!place || !k || shape.empty()) return {};
    shape[*place] = *k;
  } else if (arguments.name() == "median" || arguments.name() == "kthvalue") {
    const auto dims = row_dims(arguments);
    const auto keepdim = arguments.flag("keepdim");
    const auto rest = dims && keepdim ? reduced(shape, *dims, *keepdim) : std::nullopt;
    if (!rest) return {};
    shape = *rest;
  }
  return bound.pair ? pair_of(*dtype, shape) : one(*dtype, shape);
}

}  // namespace tritonrl::teacher::operators
