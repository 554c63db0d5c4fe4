#pragma once

#include <ATen/core/Tensor.h>

namespace tritonrl::generate {

// What a sampler chose for each row of logits, on their device.
struct Sampled {
  at::Tensor tokens;             // int64 [rows]
  at::Tensor log_probabilities;  // float [rows], under the softmax of the logits as they came
};

}  // namespace tritonrl::generate
