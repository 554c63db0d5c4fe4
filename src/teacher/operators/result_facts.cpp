#include <algorithm>

#include "teacher/operators/shape_rules.h"

namespace tritonrl::teacher {

std::vector<Fact> result_facts(const Bound& bound) {
  const operators::Arguments arguments(bound);
  switch (bound.op->group) {
    case Group::kPointwise:
      return operators::pointwise_facts(arguments);
    case Group::kReduction:
      return operators::reduction_facts(arguments);
    case Group::kNormalisation: {
      const Fact& input = bound.arguments[0].fact;
      return input.is_tensor() ? std::vector{input} : std::vector<Fact>{};
    }
    case Group::kLoss:
      return operators::loss_facts(arguments);
    case Group::kScan:
      return operators::scan_facts(arguments);
    case Group::kPooling:
      return operators::pooling_facts(arguments);
    case Group::kMovement: {
      auto results = operators::view_facts(arguments);
      return results.empty() ? operators::copy_facts(arguments) : results;
    }
    case Group::kHeavy:
      if (bound.op->name.starts_with("conv")) return operators::convolution_facts(arguments);
      if (bound.op->name == "einsum") return operators::einsum_facts(arguments);
      return operators::product_facts(arguments);
    case Group::kOther:
      return operators::creation_facts(arguments);
  }
  return {};
}

}  // namespace tritonrl::teacher
