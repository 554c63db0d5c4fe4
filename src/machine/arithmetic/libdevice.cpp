#include "machine/arithmetic/libdevice.h"

#include <algorithm>
#include <unordered_map>

namespace tritonrl::machine {

const LibdeviceFunction* find_libdevice_function(std::string_view symbol) {
  static const auto table = [] {
    std::unordered_map<std::string_view, const LibdeviceFunction*> rows;
    for (const auto functions : {libdevice_elementary(), libdevice_special(), libdevice_integers(),
                                 libdevice_conversions(), libdevice_rounded()}) {
      for (const LibdeviceFunction& function : functions) rows.emplace(function.symbol, &function);
    }
    return rows;
  }();
  const auto found = table.find(symbol);
  return found == table.end() ? nullptr : found->second;
}

ElementwiseOp find_libdevice(const ElementwiseRequest& request) {
  if (request.name != "tt.extern_elementwise" || request.result != 0) return {};
  const LibdeviceFunction* function = find_libdevice_function(request.op.string("symbol"));
  if (function == nullptr || function->out != request.out) return {};
  if (!std::ranges::equal(std::span(function->in).first(static_cast<std::size_t>(function->operands)), request.in)) {
    return {};
  }
  return {function->pick(), function->cost.arithmetic, function->cost.operations};
}

}  // namespace tritonrl::machine
