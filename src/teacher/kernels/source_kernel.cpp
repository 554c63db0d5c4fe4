#include "teacher/kernels/source_kernel.h"

#include <algorithm>

#include "teacher/kernels/operator_kernels.h"

namespace tritonrl::teacher {
namespace {

enum class Kind : std::uint8_t { kOther, kProduct, kEinsum, kConvolution, kTransposed, kPooling, kAdaptive };

Kind kind_of(std::string_view op) {
  for (const char* name : {"linear", "matmul", "mm", "bmm", "mv", "addmm", "baddbmm"}) {
    if (op == name) return Kind::kProduct;
  }
  if (op == "einsum") return Kind::kEinsum;
  for (const char* name : {"conv1d", "conv2d", "conv3d"}) {
    if (op == name) return Kind::kConvolution;
  }
  for (const char* name : {"conv_transpose1d", "conv_transpose2d", "conv_transpose3d"}) {
    if (op == name) return Kind::kTransposed;
  }
  for (const std::string_view name : {"max_pool", "avg_pool"}) {
    if (op.starts_with(name) && op.size() == name.size() + 2) return Kind::kPooling;
  }
  return op.starts_with("adaptive_avg_pool") || op.starts_with("adaptive_max_pool") ? Kind::kAdaptive : Kind::kOther;
}

std::optional<SourceKernel> kernel_of(const KernelArguments& given, const Schedule& schedule) {
  switch (kind_of(given.op())) {
    case Kind::kProduct:
      return product_kernel(given, schedule);
    case Kind::kEinsum:
      return einsum_kernel(given, schedule);
    case Kind::kConvolution:
    case Kind::kTransposed:
      return convolution_kernel(given, schedule);
    case Kind::kPooling:
      return pooling_kernel(given, schedule);
    case Kind::kAdaptive:
      return adaptive_pooling_kernel(given, schedule);
    case Kind::kOther:
      break;
  }
  return std::nullopt;
}

}  // namespace

std::optional<SourceKernel> source_kernel(const Bound& bound, const std::vector<NamedArgument>& arguments,
                                          const Schedule& schedule) {
  std::optional<SourceKernel> out = kernel_of(KernelArguments(bound, arguments), schedule);
  if (!out) return std::nullopt;
  // A tensor that is met twice (x @ x) is one pointer.
  std::vector<std::string> once;
  for (const std::string& name : out->operands) {
    if (std::find(once.begin(), once.end(), name) == once.end()) once.push_back(name);
  }
  out->operands = std::move(once);
  return out;
}

std::vector<std::string_view> source_parameters(const Bound& bound) {
  const KernelArguments given(bound, {});
  std::vector<std::string_view> wanted;
  switch (kind_of(bound.op->name)) {
    case Kind::kProduct:
      return given.tensors();
    case Kind::kEinsum:
      wanted.assign(given.fact("operands") == nullptr ? 0 : given.fact("operands")->items.size(), "operands");
      return wanted;
    case Kind::kConvolution:
      wanted = {"input", "weight", "bias", "stride", "padding", "dilation"};
      break;
    case Kind::kTransposed:
      wanted = {"input", "weight", "bias", "stride", "padding", "output_padding", "dilation"};
      break;
    case Kind::kPooling:
      wanted = {"input", "kernel_size", "stride", "padding", "dilation"};
      break;
    case Kind::kAdaptive:
      wanted = {"input", "output_size"};
      break;
    case Kind::kOther:
      return {};
  }
  if (given.fact("groups") != nullptr && !has_one_group(given)) wanted.push_back("groups");
  std::vector<std::string_view> out;
  for (const std::string_view parameter : wanted) {
    if (given.given(parameter)) out.push_back(parameter);
  }
  return out;
}

}  // namespace tritonrl::teacher
