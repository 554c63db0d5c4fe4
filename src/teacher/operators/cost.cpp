#include <algorithm>

#include "teacher/operators/shape_rules.h"

namespace tritonrl::teacher {
namespace {

double elements(const Fact& tensor) {
  return static_cast<double>(operators::element_count(tensor.shape));
}

double bytes_of(const Fact& tensor) {
  return elements(tensor) * static_cast<double>(program::size_of(tensor.dtype));
}

// Multiplications and additions of a product: two for every element of the result and every summand in it.
double product_operations(const Bound& bound, double results) {
  const operators::Arguments arguments(bound);
  const std::string_view name = bound.op->name;
  if (name.starts_with("conv")) {
    const Fact* weight = arguments.tensor("weight");
    if (weight == nullptr || weight->shape.size() < 2 || weight->shape[0] == 0) return 0;
    const double taps = elements(*weight) / static_cast<double>(weight->shape[0]);
    if (!name.starts_with("conv_transpose")) return 2 * results * taps;
    const Fact* input = arguments.tensor("input");
    return input == nullptr ? 0 : 2 * elements(*input) * taps;
  }
  if (name == "scaled_dot_product_attention") {
    const Fact *key = arguments.tensor("key"), *query = arguments.tensor("query");
    if (key == nullptr || query == nullptr || key->shape.size() < 2) return 0;
    return 4 * elements(*query) * static_cast<double>(key->shape[key->shape.size() - 2]);
  }
  // All pairs of one row and one column: sqrt(rows·inner · inner·columns / (rows·columns)) is the inner size.
  const std::size_t first = name.starts_with("add") || name == "baddbmm" ? 1 : 0;
  const Fact& left = bound.arguments[first].fact;
  const double inner = left.is_tensor() && !left.shape.empty() ? static_cast<double>(left.shape.back()) : 1;
  return 2 * results * inner;
}

}  // namespace

OperatorCost cost_of(const Bound& bound) {
  OperatorCost cost;
  double most = 0, results = 0;
  for (const Bound::Argument& argument : bound.arguments) {
    if (argument.fact.is_tensor()) {
      cost.bytes += bytes_of(argument.fact);
      most = std::max(most, elements(argument.fact));
    }
    for (const Fact& item : argument.fact.items) {
      if (item.is_tensor()) cost.bytes += bytes_of(item);
    }
  }
  for (const Fact& result : result_facts(bound)) {
    if (!result.is_tensor()) continue;
    cost.bytes += bytes_of(result);
    results += elements(result);
  }
  cost.operations = bound.op->group == Group::kHeavy ? product_operations(bound, results)
                                                     : bound.op->operations * std::max(most, results);
  return cost;
}

}  // namespace tritonrl::teacher
