#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>

#include "generate/draws.h"
#include "generate/generator.h"
#include "generate/sampled.h"

namespace tritonrl::generate {

struct NativeRow {
  const SamplingOptions* options = nullptr;
  DrawKey key;
  std::span<const std::int32_t> seen;  // distinct ids of prompt and answer; read if the row penalises
};

// What sample_by_tensors() gives, by loops on the CPU that look at few tokens where filters leave few: a small model's
// step takes a millisecond, a sort of its logits as long. `logits` float [rows, vocabulary] on the CPU.
Sampled sample_natively(const at::Tensor& logits, std::span<const NativeRow> rows);

}  // namespace tritonrl::generate
