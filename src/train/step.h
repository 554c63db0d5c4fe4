#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>

#include "model/transformer.h"
#include "train/communicator.h"
#include "train/micro_batch.h"
#include "train/optimizer.h"
#include "train/parameters.h"
#include "train/policy_loss.h"

namespace tritonrl::train {

struct StepOptions {
  double clip = 1;              // the largest norm of all gradients together; 0: any
  bool recompute = false;       // activations of blocks are not kept but computed again: less memory, a third more time
  std::int64_t loss_chunk = 0;  // rows of logits that exist at once; 0: as many as take 256 MiB
  bool dropout = true;          // of adapters
  PolicyOptions policy = {};    // for batches with old log-probabilities
};

// What one step did. The numbers stay on the device, so that nobody waits for it: whoever wants them reads many at
// once.
struct StepOutcome {
  at::Tensor loss;           // float32: weighted sum over the labelled tokens of all ranks, divided by their number
  at::Tensor gradient_norm;  // float32, before clipping
  PolicySums policy;         // of this rank; zero where nothing was reinforced
};

// One training step, for pre-training, SFT, best-of-N and GRPO alike: they differ in the batches and their weights.
class TrainingStep {
 public:
  TrainingStep(model::Transformer& model, FlatParameters& parameters, Optimizer& optimizer, Communicator& communicator,
               const StepOptions& options);

  // `labelled`: tokens of all batches of all ranks; a token counts the same in whichever batch it lies. `seed` of the
  // dropout: the same seed gives the same step, whatever was before.
  StepOutcome run(std::span<const MicroBatch> batches, std::int64_t labelled, double learning_rate, std::uint64_t seed);

  // The loss of the batches as the model is, without dropout and gradients: the sum over labelled tokens.
  at::Tensor loss_sum(std::span<const MicroBatch> batches) const;

  // Of the labelled tokens, as the model is; float32 on the host.
  at::Tensor log_probabilities(const MicroBatch& batch) const;

 private:
  // Hidden states of the labelled positions: the head is asked about them alone.
  at::Tensor labelled_states(const MicroBatch& batch, bool training) const;
  at::Tensor loss_of(const MicroBatch& batch, double scale, bool training, PolicySums& policy) const;
  PolicySums no_sums() const;

  model::Transformer& model_;
  FlatParameters& parameters_;
  Optimizer& optimizer_;
  Communicator& communicator_;
  StepOptions options_;
};

}  // namespace tritonrl::train
