#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include <cstdint>
#include <span>
#include <vector>

namespace tritonrl::model {

// Sequences laid end to end, without padding. No token sees one of another sequence, and each starts at position 0.
struct PackedBatch {
  at::Tensor tokens;                  // int64 [total]
  at::Tensor positions;               // int64 [total], from 0 in each sequence
  at::Tensor starts;                  // int32 [sequences + 1]: where each begins, and the total
  std::vector<std::int64_t> lengths;  // the same on the host
  std::int64_t longest = 0;

  static PackedBatch make(std::span<const std::span<const std::int32_t>> sequences, c10::Device device);
  static PackedBatch make(const std::vector<std::vector<std::int32_t>>& sequences, c10::Device device);

  // All sequences are equally long.
  bool uniform() const;
  std::int64_t total() const { return tokens.size(0); }
};

}  // namespace tritonrl::model
