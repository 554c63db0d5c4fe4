#pragma once

#include <ATen/core/Tensor.h>

#include <span>
#include <string>
#include <vector>

#include "base/fields.h"
#include "train/parameters.h"

namespace tritonrl::train {

enum class OptimizerKind : std::uint8_t {
  kAdamW,
  kMuon,  // for the matrices of blocks; AdamW for embeddings, head, norms and biases
};
std::span<const char* const> enum_names(OptimizerKind);

struct OptimizerOptions {
  OptimizerKind kind = OptimizerKind::kAdamW;
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  double weight_decay = 0;  // of matrices and embeddings; norms and biases never decay
  double momentum = 0.95;   // Muon's

  void fields(base::FieldVisitor& field);
};

// Changes parameters by their gradients; its state is float32.
class Optimizer {
 public:
  Optimizer(FlatParameters& parameters, const OptimizerOptions& options);

  // One step with the gradients that parameters have now. Does not wait for a device.
  void step(double learning_rate);

  // What a checkpoint keeps, by names; masters of low-precision parameters are part of it. Views: load by copying in.
  std::vector<model::NamedTensor> state() const;
  // After the views of state() were filled.
  void resume(std::int64_t steps_done);

 private:
  struct MuonGroup {
    at::Tensor values, gradients, momentum;  // [n, rows, columns]
    std::vector<std::int64_t> parts;
  };
  void adamw(double learning_rate);
  void muon(double learning_rate);

  FlatParameters& parameters_;
  OptimizerOptions options_;
  std::int64_t adamw_begin_ = 0;  // slices from here on are AdamW's
  at::Tensor first_moment_;       // all; Muon's momentum before adamw_begin_
  at::Tensor second_moment_;      // from adamw_begin_ on
  at::Tensor steps_;              // float32, for the kernel
  std::vector<MuonGroup> groups_;
};

}  // namespace tritonrl::train
