#include <algorithm>
#include <cmath>

#include "program/cost_parts.h"

namespace tritonrl::program {
namespace {

double log2_of(double length) {
  return std::max(1.0, std::log2(std::max(1.0, length)));
}

// Elements of all windows. Adaptive and fractional pooling, and gradients: each element of the larger side once.
double pool_elements(const Operands& o) {
  const auto kernel = o.integers("kernel_size");
  const Tensor* result = o.result();
  const std::string_view name = o.name();
  if (kernel.empty() || result == nullptr || name.starts_with("fractional") || name.ends_with("_backward"))
    return o.elements();
  int dimensions = 2;
  if (name.find("1d") != std::string_view::npos) dimensions = 1;
  if (name.find("3d") != std::string_view::npos) dimensions = 3;
  double window = 1;
  for (int i = 0; i < dimensions; ++i) {
    window *= std::max(
        0.0, static_cast<double>(kernel[std::min<std::size_t>(static_cast<std::size_t>(i), kernel.size() - 1)]));
  }
  return static_cast<double>(result->numel()) * window;
}

// Points of one transform: the product of the transformed dimensions.
double fourier_length(const Operands& o) {
  if (const auto points = o.integer("n_fft")) return static_cast<double>(*points);
  const Tensor* self = o.input();
  if (self == nullptr) return 1;
  auto dims = o.integers("dim");
  if (dims.empty()) {
    dims = {-1};
    if (o.name().ends_with("2")) dims = {-2, -1};
    if (o.name().ends_with("n")) {
      dims.clear();
      for (std::size_t i = 0; i < self->sizes.size(); ++i) dims.push_back(static_cast<std::int64_t>(i));
    }
  }
  double length = 1;
  for (const std::int64_t dim : dims) {
    const Tensor* larger = self;
    if (o.result() != nullptr && size_at(*o.result(), dim) > size_at(*self, dim)) larger = o.result();
    length *= static_cast<double>(size_at(*larger, dim));
  }
  return length;
}

double linalg_elements(const Operands& o) {
  const Tensor* matrix = o.first_of({"self", "A", "LU", "input", "LD"});
  if (matrix == nullptr) matrix = o.input();
  if (matrix == nullptr) return 0;
  const auto rows = static_cast<double>(size_at(*matrix, -2)), columns = static_cast<double>(size_at(*matrix, -1));
  return static_cast<double>(matrix->numel()) * std::min(rows, columns);
}

}  // namespace

double scalar_ops_of(const Operands& o) {
  const double each = o.op().ops_per_element;
  switch (o.op().kind) {
    case OperatorKind::kPool:
      return each * pool_elements(o);
    case OperatorKind::kSort: {
      const Tensor* self = o.input();
      if (self == nullptr) return 0;
      const auto dim = o.integer("dim");
      const double length = dim || self->sizes.size() == 1 ? static_cast<double>(size_at(*self, dim.value_or(-1)))
                                                           : static_cast<double>(self->numel());
      return each * o.elements() * log2_of(length);
    }
    case OperatorKind::kFourier:
      return each * o.elements() * log2_of(fourier_length(o));
    case OperatorKind::kLinalg:
      return each * linalg_elements(o);
    case OperatorKind::kReduce:
      // Every pair of rows meets.
      if (o.name().find("cdist") != std::string_view::npos ||
          o.name().find("euclidean_dist") != std::string_view::npos ||
          o.name().find("pdist") != std::string_view::npos) {
        const Tensor* result = o.result();
        const Tensor* points = o.first_of({"x1", "self"});
        if (result == nullptr || points == nullptr) return 0;
        return each * static_cast<double>(result->numel()) * static_cast<double>(size_at(*points, -1));
      }
      return each * o.elements();
    case OperatorKind::kView:
    case OperatorKind::kAllocate:
    case OperatorKind::kFill:
    case OperatorKind::kCopy:
    case OperatorKind::kMatmul:
    case OperatorKind::kConvolution:
    case OperatorKind::kRecurrent:
    case OperatorKind::kAttention:
      return 0;
    case OperatorKind::kRandom:
    case OperatorKind::kPointwise:
    case OperatorKind::kNormalise:
    case OperatorKind::kSoftmax:
    case OperatorKind::kScan:
    case OperatorKind::kGather:
    case OperatorKind::kPermute:
    case OperatorKind::kResample:
    case OperatorKind::kShapeQuery:
      return each * o.elements();
    case OperatorKind::kLoss:
      if (o.name().starts_with("nll_loss")) {  // picks one score a target
        const Tensor* target = o.tensor("target");
        return target == nullptr ? 0 : each * static_cast<double>(target->numel());
      }
      return each * o.elements();
  }
  return 0;
}

}  // namespace tritonrl::program
