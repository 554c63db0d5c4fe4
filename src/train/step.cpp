#include "train/step.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/zeros.h>

#include "base/hash64.h"
#include "train/chunked_loss.h"

namespace tritonrl::train {

TrainingStep::TrainingStep(model::Transformer& model, FlatParameters& parameters, Optimizer& optimizer,
                           Communicator& communicator, const StepOptions& options)
    : model_(model), parameters_(parameters), optimizer_(optimizer), communicator_(communicator), options_(options) {}

at::Tensor TrainingStep::labelled_states(const MicroBatch& batch, bool training) const {
  const at::Tensor hidden = model_.hidden_states(
      batch.batch, {.training = training && options_.dropout, .recompute = training && options_.recompute, .sink = {}});
  return hidden.index_select(0, batch.rows);
}

at::Tensor TrainingStep::loss_of(const MicroBatch& batch, double scale, bool training, PolicySums& policy) const {
  const MicroBatch here = to_device(batch, model_.options().device);
  const at::Tensor hidden = labelled_states(here, training);
  if (here.old_log_probabilities.defined())
    return chunked_loss(hidden, model_.head(), here.targets, policy_loss(here, options_.policy, scale, policy),
                        options_.loss_chunk);
  return chunked_loss(hidden, model_.head(), here.targets, here.weights * scale, options_.loss_chunk);
}

PolicySums TrainingStep::no_sums() const {
  const at::TensorOptions options = parameters_.values().options();
  return {.clipped = at::zeros({}, options), .kl = at::zeros({}, options)};
}

StepOutcome TrainingStep::run(std::span<const MicroBatch> batches, std::int64_t labelled, double learning_rate,
                              std::uint64_t seed) {
  at::manual_seed(base::mix64(seed ^ base::mix64(static_cast<std::uint64_t>(communicator_.rank()))));
  parameters_.clear_gradients();
  StepOutcome outcome;
  outcome.loss = at::zeros({}, parameters_.values().options());
  outcome.policy = no_sums();
  for (const MicroBatch& batch : batches) {
    const at::Tensor loss = loss_of(batch, 1.0 / static_cast<double>(labelled), /*training=*/true, outcome.policy);
    loss.backward();
    outcome.loss.add_(loss.detach());
    parameters_.collect_gradients();
  }
  const at::NoGradGuard no_grad;
  at::Tensor gradients = parameters_.gradients();
  communicator_.sum(gradients);
  communicator_.sum(outcome.loss);
  outcome.gradient_norm = at::linalg_vector_norm(gradients);
  if (options_.clip > 0) gradients.mul_((options_.clip / (outcome.gradient_norm + 1e-6)).clamp_max(1.0));
  optimizer_.step(learning_rate);
  ++model_.adapter_version;
  return outcome;
}

at::Tensor TrainingStep::loss_sum(std::span<const MicroBatch> batches) const {
  const at::NoGradGuard no_grad;
  at::Tensor sum = at::zeros({}, parameters_.values().options());
  PolicySums policy = no_sums();
  for (const MicroBatch& batch : batches) sum.add_(loss_of(batch, 1, /*training=*/false, policy));
  return sum;
}

at::Tensor TrainingStep::log_probabilities(const MicroBatch& batch) const {
  const at::NoGradGuard no_grad;
  const MicroBatch here = to_device(batch, model_.options().device);
  return target_log_probabilities(labelled_states(here, /*training=*/false), model_.head(), here.targets,
                                  options_.loss_chunk)
      .to(at::kCPU);
}

}  // namespace tritonrl::train
