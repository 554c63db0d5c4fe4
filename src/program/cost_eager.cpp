#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "program/cost_parts.h"

namespace tritonrl::program {
namespace {

// Part of the reachable memory bandwidth that torch's kernels of a kind use, and part of a matrix rate. Measured on an
// H200 (bench/modelled_times); 1 where nothing else is known.
struct Reached {
  double memory = 1;
  double matrix = 1;
};

Reached reached(OperatorKind kind) {
  switch (kind) {
    case OperatorKind::kReduce:
      return {.memory = 0.8};
    case OperatorKind::kNormalise:  // statistics first, then a second kernel that reads all again
      return {.memory = 0.39};
    case OperatorKind::kSoftmax:
      return {.memory = 0.6};
    case OperatorKind::kScan:
      return {.memory = 0.44};
    case OperatorKind::kSort:  // several passes over the keys
      return {.memory = 0.1};
    case OperatorKind::kPool:
      return {.memory = 0.37};
    case OperatorKind::kMatmul:
      return {.matrix = 0.95};
    case OperatorKind::kConvolution:
      return {.matrix = 0.33};
    case OperatorKind::kAttention:
      return {.matrix = 0.4};
    default:
      return {};
  }
}

// Exceptions to the table.
constexpr double kLayerNormPart = 0.7;           // one kernel
constexpr double kBatchNormInferencePart = 0.7;  // no statistics
constexpr double kOuterReducePart = 0.42;        // along another dimension than the last, few results
constexpr double kManyResults = 1e5;             // enough of them to keep the chip busy whatever the dimension
constexpr double kVariancePart = 0.5;            // of an ordinary reduction: Welford's update divides
constexpr double kOuterSoftmaxPart = 0.13;
constexpr double kDepthwisePart = 0.0175, kDepthwisePlanePart = 0.035;  // one dimension, two and more
constexpr double kTransposedVolumePart = 0.45;                          // transposed convolutions in three dimensions
constexpr double kTransposedStridedPart = 0.5, kTransposedDilatedPart = 0.15;  // by stride; by stride and dilation

// Limits other than bandwidth.
constexpr double kElementsPerClock = 1.24;  // of one SM, where each thread computes the offset of each element
constexpr double kRowSeconds = 0.3e-6;      // of one SM: a block of layer norm begins and ends
constexpr double kSortedRowSeconds = 0.55e-6;
constexpr double kBlockBandwidth = 4.1e9;     // bytes a second of one block alone
constexpr double kNllSeconds = 2.4e-9;        // of one target: one block adds up the loss
constexpr double kRecurrentSeconds = 5.4e-6;  // of one time step and layer, beside its launch
constexpr double kScanSeconds = 120e-6, kScanFreeBandwidth = 6e11;
constexpr double kGatherSeconds = 8e-6, kGatherElementSeconds = 0.5e-9;  // few elements from far apart
// Operations that the matrix units could do while the last tiles keep only some of them busy; small products are cut
// into smaller tiles.
constexpr double kMatmulTail = 4e8, kMatmulTailPart = 4;
constexpr double kConvolutionTail = 2.4e9, kConvolutionTailPart = 8;
constexpr double kFullTile = 128, kLeastTilePart = 0.5;
constexpr double kFullChannels = 32, kLeastChannels = 8;
constexpr int kLayoutLaunches = 2;  // a convolution's operands are brought to channels-last and back

double positive_size(const Tensor* tensor, std::int64_t dim) {
  return tensor == nullptr ? 1 : std::max(1.0, static_cast<double>(size_at(*tensor, dim)));
}

bool has(const Operands& o, std::string_view part) {
  return o.name().find(part) != std::string_view::npos;
}

// Fills its memory without gaps or repeats, in whatever order of dimensions.
bool is_dense(const Tensor& tensor) {
  std::vector<std::pair<std::int64_t, std::int64_t>> dims;  // stride, size
  for (std::size_t i = 0; i < tensor.sizes.size(); ++i) {
    if (tensor.sizes[i] != 1) dims.emplace_back(tensor.strides[i], tensor.sizes[i]);
  }
  std::sort(dims.begin(), dims.end());
  std::int64_t expected = 1;
  for (const auto& [stride, extent] : dims) {
    if (stride != expected) return false;
    expected *= extent;
  }
  return true;
}

bool is_common_float(DType dtype) {
  return dtype == DType::kFloat32 || dtype == DType::kFloat16 || dtype == DType::kBFloat16;
}

// Operands that are broadcast, cut out or converted between unlike types leave the vectorised path.
bool needs_offsets(const Program& program, const Operands& o) {
  const Tensor* result = o.result();
  if (result == nullptr) return false;
  for (const Operands::Group& input : o.inputs()) {
    for (const Tensor* tensor : input.tensors) {
      if (program.storages[static_cast<std::size_t>(tensor->storage)].device == Device::kHost) continue;
      if (tensor->numel() != result->numel() || !is_dense(*tensor)) return true;
      const bool converts = o.op().kind == OperatorKind::kCopy && tensor->dtype != result->dtype;
      if (converts && !(is_common_float(tensor->dtype) && is_common_float(result->dtype))) return true;
    }
  }
  return false;
}

// What a call of this kind takes beside moving its bytes.
struct Eager {
  double bytes = 0;
  double memory_part = 1;
  double matrix = 0;  // seconds
  double limit = 0;   // seconds, by something else
  double added = 0;   // seconds after all else
  double launches = 1;
};

void normalise(const Operands& o, const Cost& cost, const Target& target, Eager* out) {
  const Tensor* input = o.input();
  if (input == nullptr) return;
  out->bytes = unique_bytes(*input) + cost.bytes_written;  // how often it is read is in the part
  if (has(o, "layer_norm") || has(o, "rms_norm")) {
    double row = 1;
    for (const std::int64_t extent : o.integers("normalized_shape")) row *= std::max(1.0, static_cast<double>(extent));
    const double rows = std::max(1.0, numel(input) / row);
    out->memory_part = kLayerNormPart;
    out->limit = std::max(rows * kRowSeconds / target.sm_count, out->bytes / (rows * kBlockBandwidth));
  } else if (has(o, "batch_norm") && !o.flag("training", o.flag("train", !has(o, "no_training")))) {
    out->memory_part = kBatchNormInferencePart;
  }
}

void reduce(const Operands& o, Eager* out) {
  const Tensor* input = o.input();
  if (input == nullptr) return;
  const auto rank = static_cast<std::int64_t>(input->sizes.size());
  const std::vector<std::int64_t> dims = o.integers("dim");
  const bool inner = dims.empty() || std::any_of(dims.begin(), dims.end(), [&](std::int64_t dim) {
                       return (dim < 0 ? dim + rank : dim) == rank - 1;
                     });
  if (!inner && numel(o.result()) < kManyResults) out->memory_part = kOuterReducePart;
  if (o.name().starts_with("var") || o.name().starts_with("std")) out->memory_part *= kVariancePart;
}

void softmax(const Operands& o, const Cost& cost, Eager* out) {
  const Tensor* input = o.input();
  if (input == nullptr) return;
  out->bytes = unique_bytes(*input) + cost.bytes_written;
  const auto rank = static_cast<std::int64_t>(input->sizes.size());
  const std::int64_t dim = o.integer("dim").value_or(-1);
  if ((dim < 0 ? dim + rank : dim) != rank - 1) out->memory_part = kOuterSoftmaxPart;
}

// `rate`: what a large product reaches.
double matmul_seconds(const Operands& o, double ops, double rate) {
  const Tensor* left = o.first_of({"mat1", "batch1", "mat", "input", "self"});
  const double least =
      std::min({positive_size(o.result(), -1), positive_size(o.result(), -2), positive_size(left, -1)});
  const double part = std::clamp(least / kFullTile, kLeastTilePart, 1.0);
  return (ops + std::min(kMatmulTail, kMatmulTailPart * ops)) / (rate * part);
}

bool exceeds_one(const std::vector<std::int64_t>& values) {
  return std::any_of(values.begin(), values.end(), [](std::int64_t value) { return value > 1; });
}

double convolution_seconds(const Operands& o, double ops, double rate) {
  const Tensor* weight = o.tensor("weight");
  const std::size_t dimensions = weight == nullptr ? 2 : weight->sizes.size() - 2;
  if (positive_size(weight, 1) == 1) {
    const double part = dimensions == 1 ? kDepthwisePart : kDepthwisePlanePart;
    return ops / rate * (reached(OperatorKind::kConvolution).matrix / part);
  }
  const bool transposed = o.flag("transposed", has(o, "transpose"));
  const double channels =
      transposed ? std::min(positive_size(weight, 0), positive_size(weight, 1)) : positive_size(weight, 1);
  double part = std::min(1.0, std::pow(std::max(channels, kLeastChannels) / kFullChannels, 1.5));
  if (transposed && dimensions == 3) part *= kTransposedVolumePart;
  if (transposed && exceeds_one(o.integers("stride"))) {
    part *= exceeds_one(o.integers("dilation")) ? kTransposedDilatedPart : kTransposedStridedPart;
  }
  return (ops + std::min(kConvolutionTail, kConvolutionTailPart * ops)) / (rate * part);
}

}  // namespace

double eager_seconds(const Program& program, const Operands& o, const Cost& cost, const Target& target) {
  const OperatorKind kind = o.op().kind;
  Eager eager{.bytes = cost.bytes(), .memory_part = reached(kind).memory, .launches = cost.launches};
  const double clocks = target.sm_count * target.clock_khz * 1e3;
  const double elements = numel(o.result());
  if (cost.matrix_ops > 0) {
    const double rate = rate_of(target, cost.matrix_precision) * target.matrix_efficiency * reached(kind).matrix;
    eager.matrix = cost.matrix_ops / rate;
    if (kind == OperatorKind::kMatmul) eager.matrix = matmul_seconds(o, cost.matrix_ops, rate);
    if (kind == OperatorKind::kConvolution) eager.matrix = convolution_seconds(o, cost.matrix_ops, rate);
  }
  switch (kind) {
    case OperatorKind::kPointwise:
    case OperatorKind::kCopy:
      if (needs_offsets(program, o)) eager.limit = elements / (kElementsPerClock * clocks);
      break;
    case OperatorKind::kNormalise:
      normalise(o, cost, target, &eager);
      break;
    case OperatorKind::kReduce:
      reduce(o, &eager);
      break;
    case OperatorKind::kSoftmax:
      softmax(o, cost, &eager);
      break;
    case OperatorKind::kScan:
      eager.added = std::min(kScanSeconds, eager.bytes / kScanFreeBandwidth);
      break;
    case OperatorKind::kSort:
      eager.limit = numel(o.input()) / positive_size(o.input(), o.integer("dim").value_or(-1)) * kSortedRowSeconds /
                    target.sm_count;
      break;
    case OperatorKind::kLoss:
      if (has(o, "nll_loss")) eager.added = kNllSeconds * numel(o.tensor("target"));
      break;
    case OperatorKind::kGather:
      eager.added = std::min(kGatherSeconds, kGatherElementSeconds * elements);
      break;
    case OperatorKind::kConvolution:
      eager.launches += kLayoutLaunches;
      break;
    case OperatorKind::kRecurrent:
      eager.added = cost.launches * kRecurrentSeconds;
      break;
    default:
      break;
  }
  const double memory = eager.bytes / (target.memory_bandwidth * target.copy_efficiency * eager.memory_part);
  const double scalar = cost.scalar_ops / rate_of(target, cost.scalar_precision);
  return eager.launches * target.launch_overhead + std::max({memory, eager.matrix, eager.limit, scalar}) + eager.added +
         cost.host_bytes / target.host_bandwidth;
}

}  // namespace tritonrl::program
