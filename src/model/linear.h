#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/eight_bit.h"
#include "weights/block_modules.h"

namespace tritonrl::model {

// A low-rank change of one matrix: y += scale * b (a x). Kept in float32, computed in the type of x.
struct LoraPair {
  at::Tensor a;  // [rank, in]
  at::Tensor b;  // [out, rank]
  double scale = 1;
  double dropout = 0;   // of x, while training
  bool merged = false;  // already part of the weight
};

// scale * b a, float32 [out, in]: what the pair adds to its matrix.
at::Tensor lora_change(const LoraPair& lora);

// Matrices that read the same input, one under the other, so that one product serves them all.
class Linear {
 public:
  struct Part {
    std::string name;  // "self_attn.q_proj"
    std::int64_t first_row = 0;
    std::int64_t rows = 0;
    std::optional<LoraPair> lora;
  };

  Linear() = default;
  // An empty matrix of the modules' rows; fill weight() and bias(). They have the same columns, and all or none a bias.
  Linear(const std::vector<weights::ModuleInfo>& modules, const at::TensorOptions& options);

  // One tensor [tokens, rows] a part.
  std::vector<at::Tensor> forward(const at::Tensor& x, bool training) const;

  // Turns the weights to bytes; from here on they are frozen.
  void quantise_weight();
  bool eight_bit() const { return eight_bit_.has_value(); }
  std::size_t weight_bytes() const;

  // The weight of a part in `dtype`, with its adapter's change: a view where that is possible. No gradients.
  at::Tensor merged_weight(const Part& part, c10::ScalarType dtype) const;

  at::Tensor& weight() { return weight_; }
  const at::Tensor& weight() const { return weight_; }  // undefined once in 8 bit
  at::Tensor& bias() { return bias_; }
  const at::Tensor& bias() const { return bias_; }
  std::vector<Part>& parts() { return parts_; }
  const std::vector<Part>& parts() const { return parts_; }
  std::int64_t columns() const { return columns_; }

 private:
  at::Tensor base(const at::Tensor& x) const;
  std::vector<at::Tensor> products(const at::Tensor& x, bool training) const;

  std::vector<Part> parts_;
  std::int64_t columns_ = 0;
  at::Tensor weight_;  // [rows of all parts, columns]
  at::Tensor bias_;
  std::optional<EightBitMatrix> eight_bit_;
};

}  // namespace tritonrl::model
