#pragma once

#include <ATen/core/Tensor.h>

#include "base/fields.h"
#include "train/chunked_loss.h"
#include "train/micro_batch.h"

namespace tritonrl::train {

// How far answers may be reinforced.
struct PolicyOptions {
  double clip_low = 0.2, clip_high = 0.28;  // a token is not pushed on once it is likelier by more than this
  double kl = 0;                            // weight of the distance from the reference

  void fields(base::FieldVisitor& field) {
    field("clip_low", clip_low,
          {.help = "a token that should be rarer is not pushed on once its probability fell by this part",
           .least = 0,
           .most = 1});
    field("clip_high", clip_high,
          {.help = "one that should be likelier, once it rose by this part", .least = 0, .most = 1e6});
    field("kl", kl, {.help = "weight of the distance from the model without its adapter", .least = 0});
  }
};

// What a loss met on its way, summed over tokens, on the device.
struct PolicySums {
  at::Tensor clipped;  // tokens that were not pushed on
  at::Tensor kl;       // distance from the reference
};

// The loss of reinforcement, of tokens with advantage A, log-probability l, old one o and reference f, times `scale`:
//   -min(r A, clamp(r, 1 - clip_low, 1 + clip_high) A) + kl (exp(f - l) - (f - l) - 1),   r = exp(l - o)
// `batch` must be on the device of the logits, and with `sums` outlive what is returned; `sums` are added to.
TokenLoss policy_loss(const MicroBatch& batch, const PolicyOptions& options, double scale, PolicySums& sums);

}  // namespace tritonrl::train
