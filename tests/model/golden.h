#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "model/packed_batch.h"
#include "model/transformer.h"

namespace tritonrl::model {

// A case of tests/model/goldens: a model and what transformers and peft computed with it.
class Golden {
 public:
  explicit Golden(const std::string& name);

  static const std::vector<std::string>& names();

  std::unique_ptr<Transformer> load(const ModelOptions& options = {.dtype = c10::kFloat}) const;
  std::filesystem::path adapter_folder() const { return folder_ / "adapter"; }

  at::Tensor expected(const std::string& name) const;
  bool has(const std::string& name) const;
  std::vector<std::vector<std::int32_t>> sequences() const;
  PackedBatch batch() const;

 private:
  std::filesystem::path folder_;
  std::shared_ptr<const weights::TensorFiles> expected_;
};

// Largest difference over the largest expected magnitude.
double relative_error(const at::Tensor& got, const at::Tensor& expected);

// Tolerances of relative_error, named once. fp32 sums run in another order than torch's own attention and norms.
constexpr double kFloatTolerance = 1e-4;
// bf16 keeps 8 bits: norms and activations are rounded at other places than transformers rounds them.
constexpr double kBFloat16Tolerance = 5e-2;

// A model of random weights for tests that need no reference.
std::unique_ptr<Transformer> small_random_model(std::uint64_t seed, const ModelOptions& options = {});
std::vector<std::int32_t> random_tokens(std::size_t count, std::uint64_t seed, std::int32_t vocabulary);

}  // namespace tritonrl::model
