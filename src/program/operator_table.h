#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "program/schema.h"

namespace tritonrl::program {

// What an operator does, as far as cost and rules care. In operators.txt a kind is written without its k, in
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

// The kind by its name in operators.txt, which is also how it is shown: "pointwise", "shape_query".
std::string_view to_string(OperatorKind kind);
std::optional<OperatorKind> operator_kind_from_string(std::string_view name);

// Arithmetic or rearrangement: all but views, allocations, fills and copies (casts included).
bool is_compute(OperatorKind kind);
// The kinds that a GPU spends its time in: matmul, convolution, recurrent, attention.
bool is_heavy(OperatorKind kind);

struct Operator : Schema {
  OperatorKind kind = OperatorKind::kPointwise;
  // Arithmetic operations for each element of the largest tensor that the call touches. Other kinds count other
  // elements: pool, each element of each window; sort and fourier, also times log2 of the length; linalg, the factor of
  // m·n·min(m, n) of each matrix; attention, each score; recurrent, each gate; matmul and convolution, each product.
  double ops_per_element = 0;
  bool random = false;  // the result depends on the generator, whatever the kind
};

// The allow-list: the operator of this name ("aten::add.Tensor", "aten::relu") or null. Lives as long as the program;
// safe from any thread. The first call reads the table (some milliseconds).
const Operator* find_operator(std::string_view name);
std::span<const Operator> all_operators();

// "add" of "aten::add_.Tensor": without namespace, overload and the in-place underscore.
std::string_view plain_name(std::string_view op);

}  // namespace tritonrl::program
