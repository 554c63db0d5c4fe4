#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>
#include <vector>

#include "generate/generator.h"
#include "generate/sampled.h"
#include "generate/tensor_sampler.h"

namespace tritonrl::generate {

struct SamplerOptions {
  int lanes = 32;               // samples that grow at once
  std::int64_t steps = 2048;    // tokens of the longest answer
  std::int64_t vocabulary = 0;  // width of the logits
  c10::Device device = c10::Device(c10::kCPU);
  bool native = true;  // on the CPU by loops of our own instead of tensor operations: the same tokens, sooner
};

// Chooses the next tokens of many samples at once, each in a lane of its own with its options, random stream and (for
// the repetition penalty) its past. What a lane chooses does not depend on the other lanes. Not thread-safe.
class Sampler {
 public:
  explicit Sampler(const SamplerOptions& options);

  // A new sample in the lane, whatever was there before.
  void start(int lane, const SamplingOptions& sampling, std::uint64_t sample_seed,
             std::span<const std::int32_t> prompt);

  // One more token for each of these lanes, which are distinct, from their rows of `logits` (float [lanes,
  // vocabulary]). While the same lanes are asked for, a call does no work on the host that depends on values.
  Sampled sample(const at::Tensor& logits, std::span<const int> lanes);

 private:
  struct Lane {
    SamplingOptions sampling;
    std::uint64_t seed = 0;
    std::int64_t chosen = 0;         // tokens so far: the next one's index among the draws
    std::vector<std::int32_t> past;  // distinct ids; kept by the native way, for lanes that penalise
    std::vector<bool> is_past;       // by id
  };

  bool native() const { return options_.native && options_.device.is_cpu(); }
  Sampled sample_native(const at::Tensor& logits, std::span<const int> lanes);
  Sampled sample_tensors(const at::Tensor& logits, std::span<const int> lanes);
  void arrange(std::span<const int> lanes);
  static void remember(Lane& lane, std::int32_t token);

  SamplerOptions options_;
  std::vector<Lane> lanes_;

  // The tensor way.
  at::Tensor keys_;  // int32 [lanes, steps, 2]
  at::Tensor seen_;  // bool [lanes, vocabulary]; defined once a lane penalises
  // For the lanes asked for last.
  std::vector<int> arranged_;
  TensorRows rows_;
  at::Tensor lane_ids_;  // int64 [lanes]
  at::Tensor position_;  // int64 [lanes]: the next draw
};

}  // namespace tritonrl::generate
