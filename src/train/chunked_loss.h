#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace tritonrl::train {

// The sum of weights[i] * -log p(targets[i]) under the logits hidden[i] · head, a scalar. Logits exist for `chunk` rows
// at a time (0: as many as take 256 MiB): gradients are computed with the loss, in one pass, and are all that is kept.
// Differentiable in `hidden` [n, width] and `head` [vocabulary, width]; weights are float32 [n], targets int64 [n].
at::Tensor chunked_loss(const at::Tensor& hidden, const at::Tensor& head, const at::Tensor& targets,
                        const at::Tensor& weights, std::int64_t chunk = 0);

// The rows that take 256 MiB.
std::int64_t automatic_loss_chunk(std::int64_t vocabulary);

}  // namespace tritonrl::train
