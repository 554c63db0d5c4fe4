#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

#include "model/transformer.h"

namespace tritonrl::train {

// What an optimizer does with a tensor depends on its kind.
enum class ParameterKind : std::uint8_t { kMatrix, kEmbedding, kVector };

// A leaf that is trained.
struct Parameter {
  std::string name;
  at::Tensor tensor;
  ParameterKind kind = ParameterKind::kMatrix;
  std::vector<std::int64_t> parts = {};  // of matrices that lie one under the other in it: the rows of each
};

// The adapter's matrices, or all parameters of a model that is `trainable`. UserError where there is neither.
std::vector<Parameter> trained_parameters(const model::Transformer& model);

// The trained tensors behind one another in a few flat buffers, so that clipping, the optimizer and the exchange
// between ranks are one operation each. Takes the place of the leaves' own memory: they become views of the buffers, in
// the model too. bf16 and fp16 leaves have float32 masters.
class FlatParameters {
 public:
  explicit FlatParameters(const std::vector<Parameter>& parameters);
  FlatParameters(const FlatParameters&) = delete;
  FlatParameters& operator=(const FlatParameters&) = delete;

  struct Slice {
    std::string name;
    ParameterKind kind;
    std::vector<std::int64_t> shape, parts;
    std::int64_t begin = 0;   // in the flat buffers
    std::int64_t size = 0;    // of the tensor
    std::int64_t stride = 0;  // to the next slice; what lies between is zero
  };
  // Matrices first, then embeddings, then vectors; matrices of one shape are neighbours.
  const std::vector<Slice>& slices() const { return slices_; }
  std::int64_t begin_of(ParameterKind kind) const;  // where slices of this kind begin or would
  std::int64_t size() const { return values_.size(0); }
  std::int64_t count() const;  // parameters, without what lies between
  at::Tensor view(const at::Tensor& flat, const Slice& slice) const;

  const at::Tensor& values() const { return values_; }        // float32 [size]
  const at::Tensor& gradients() const { return gradients_; }  // float32 [size]
  bool has_masters() const { return low_values_.defined(); }

  void clear_gradients();
  // After each backward pass: adds what low-precision leaves got to gradients().
  void collect_gradients();
  // After values() changed.
  void spread_values();

 private:
  std::vector<Slice> slices_;
  std::vector<at::Tensor> leaves_;
  at::Tensor values_, gradients_;
  at::Tensor low_values_, low_gradients_;  // in the leaves' type where that is not float32
};

}  // namespace tritonrl::train
