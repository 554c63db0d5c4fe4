#include "train/policy_loss.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/zeros.h>

namespace tritonrl::train {

TokenLoss policy_loss(const MicroBatch& batch, const PolicyOptions& options, double scale, PolicySums& sums) {
  return [&batch, options, scale, &sums](const at::Tensor& l, std::int64_t begin) -> TokenTerms {
    const auto own = [&](const at::Tensor& all) { return all.narrow(0, begin, l.size(0)); };
    const at::Tensor advantage = own(batch.weights);
    const at::Tensor ratio = (l - own(batch.old_log_probabilities)).exp();
    const at::Tensor free = ratio * advantage;
    const at::Tensor bounded = ratio.clamp(1 - options.clip_low, 1 + options.clip_high) * advantage;
    const at::Tensor is_free = free <= bounded;
    TokenTerms out{.loss = at::minimum(free, bounded).sum().mul_(-scale), .weights = free * is_free * scale};
    sums.clipped.add_(is_free.logical_not().sum());
    if (options.kl > 0 && batch.reference_log_probabilities.defined()) {
      const at::Tensor further = own(batch.reference_log_probabilities) - l;
      const at::Tensor distance = (further.exp() - further - 1).sum();
      out.loss.add_(distance, options.kl * scale);
      out.weights.add_(further.exp() - 1, options.kl * scale);
      sums.kl.add_(distance);
    }
    return out;
  };
}

}  // namespace tritonrl::train
