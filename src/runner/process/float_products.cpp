#include "runner/process/float_products.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace tritonrl::runner {

std::optional<at::ScalarType> widen_product(const program::Operator& op, std::vector<c10::IValue>& stack) {
  constexpr auto kProducts =
      std::to_array<std::string_view>({"aten::mm", "aten::addmm", "aten::bmm", "aten::baddbmm", "aten::linear"});
  if (std::ranges::find(kProducts, std::string_view(op.name)) == kProducts.end()) return std::nullopt;
  std::optional<at::ScalarType> type;
  for (const c10::IValue& value : stack) {
    if (!value.isTensor() || !value.toTensor().defined()) continue;
    const at::Tensor& operand = value.toTensor();
    if (!operand.is_cpu() || !at::isReducedFloatingType(operand.scalar_type())) return std::nullopt;
    if (type && *type != operand.scalar_type()) return std::nullopt;
    type = operand.scalar_type();
  }
  if (!type) return std::nullopt;
  for (c10::IValue& value : stack) {
    if (value.isTensor() && value.toTensor().defined()) value = value.toTensor().to(at::kFloat);
  }
  return type;
}

void round_product(at::ScalarType type, Results& results) {
  for (std::optional<at::Tensor>& result : results) {
    if (result && result->defined()) result = result->to(type);
  }
}

}  // namespace tritonrl::runner
