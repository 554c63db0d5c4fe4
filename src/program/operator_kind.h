#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tritonrl::program {

// What an operator does, as far as cost and rules care. In operators/ a kind is written without its k, in
// snake_case.
enum class OperatorKind : std::uint8_t {
  kView,  // another look at the same memory; skipped by a replay. reshape and its like may copy: the result's storage
          // tells
  kAllocate,     // memory without contents: empty, empty_like
  kFill,         // values that depend on no data: zeros, full, arange, zero_
  kCopy,         // the same values elsewhere, in another order of strides or another dtype: clone, copy_, _to_copy
  kRandom,       // draws from the generator: rand, normal_, multinomial. (dropout is pointwise, with `random` set)
  kPointwise,    // each output element from the same place of the inputs: add, gelu, where, tril
  kReduce,       // many elements to few: sum, max, var, norm, cdist
  kNormalise,    // batch, layer, group, instance and RMS norm, weight norm
  kSoftmax,      // softmax and log-softmax
  kScan,         // running sums and their like: cumsum, cummax
  kSort,         // sort, topk, median, quantile
  kMatmul,       // matrix products of any form: mm, addmm, einsum, linear
  kConvolution,  // convolutions, transposed ones and their gradients
  kRecurrent,    // whole LSTM, GRU and RNN layers, and single cells
  kAttention,    // scaled dot-product attention in one call, and fused blocks that hold one
  kPool,         // windows: max_pool2d, avg_pool1d, adaptive ones
  kGather,       // places chosen by index data: index, scatter, embedding, bucketize
  kPermute,      // rearrangement without arithmetic: cat, stack, pad, flip, roll, repeat, pixel_shuffle
  kResample,     // interpolation: upsample, grid_sampler
  kFourier,      // fft, stft
  kLinalg,       // factorisations and solvers: cholesky, svd, inverse
  kLoss,         // a distance of predictions and targets in one call: mse_loss, nll_loss_forward
  kShapeQuery,   // the shape of the result depends on data: nonzero, masked_select, unique
};

// The kind by its name in operators/, which is also how it is shown: "pointwise", "shape_query".
std::string_view to_string(OperatorKind kind);
std::optional<OperatorKind> operator_kind_from_string(std::string_view name);

// Arithmetic or rearrangement: all but views, allocations, fills and copies (casts included).
bool is_compute(OperatorKind kind);
// The kinds that a GPU spends its time in: matmul, convolution, recurrent, attention.
bool is_heavy(OperatorKind kind);

}  // namespace tritonrl::program
