#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>

namespace tritonrl::train {

// What a loss makes of the log-probabilities of some labelled tokens.
struct TokenTerms {
  at::Tensor loss;     // float32 scalar: their part of the sum
  at::Tensor weights;  // float32, one a token: by how much the loss falls as its log-probability grows
};
// Asked for consecutive rows, `begin` is the first one's number. `log_probabilities` are float32, without gradients.
using TokenLoss = std::function<TokenTerms(const at::Tensor& log_probabilities, std::int64_t begin)>;

// The sum of a loss of the log-probabilities of targets[i] under the logits hidden[i] · head, a scalar. Logits exist
// for `chunk` rows at a time (0: as many as take 256 MiB): gradients are computed with the loss, in one pass, and are
// all that is kept. Differentiable in `hidden` [n, width] and `head` [vocabulary, width]; targets are int64 [n].
at::Tensor chunked_loss(const at::Tensor& hidden, const at::Tensor& head, const at::Tensor& targets,
                        const TokenLoss& token_loss, std::int64_t chunk = 0);
// The cross-entropy: the sum of weights[i] * -log p(targets[i]); float32 [n].
at::Tensor chunked_loss(const at::Tensor& hidden, const at::Tensor& head, const at::Tensor& targets,
                        const at::Tensor& weights, std::int64_t chunk = 0);

// log p(targets[i]), float32 [n], without gradients.
at::Tensor target_log_probabilities(const at::Tensor& hidden, const at::Tensor& head, const at::Tensor& targets,
                                    std::int64_t chunk = 0);

// The rows that take 256 MiB.
std::int64_t automatic_loss_chunk(std::int64_t vocabulary);

}  // namespace tritonrl::train
