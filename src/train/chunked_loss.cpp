#include "train/chunked_loss.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/dot.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

namespace tritonrl::train {
namespace {

constexpr std::int64_t kChunkBytes = std::int64_t{256} << 20;

struct LossAndGradients {
  at::Tensor loss, hidden, head;  // gradients only where they are asked for
};

LossAndGradients compute(const at::Tensor& hidden, const at::Tensor& head, const at::Tensor& targets,
                         const TokenLoss& token_loss, std::int64_t chunk, bool for_hidden, bool for_head) {
  if (chunk <= 0) chunk = automatic_loss_chunk(head.size(0));
  const std::int64_t rows = hidden.size(0);
  LossAndGradients out;
  out.loss = at::zeros({}, hidden.options().dtype(at::kFloat));
  if (for_hidden) out.hidden = at::empty_like(hidden);
  // chunks are added up in float32
  if (for_head) out.head = at::zeros(head.sizes(), head.options().dtype(at::kFloat));
  for (std::int64_t begin = 0; begin < rows; begin += chunk) {
    const std::int64_t count = std::min(chunk, rows - begin);
    const at::Tensor x = hidden.narrow(0, begin, count);
    const at::Tensor target = targets.narrow(0, begin, count).unsqueeze(1);
    at::Tensor log_probabilities = at::log_softmax(at::matmul(x, head.t()), 1, at::kFloat);
    const TokenTerms terms = token_loss(log_probabilities.gather(1, target).squeeze(1), begin);
    out.loss.add_(terms.loss);
    if (!for_hidden && !for_head) continue;
    // weight * (softmax - one at the target)
    at::Tensor gradient = log_probabilities.exp_().mul_(terms.weights.unsqueeze(1));
    gradient.scatter_add_(1, target, -terms.weights.unsqueeze(1));
    gradient = gradient.to(head.scalar_type());
    if (for_hidden) out.hidden.narrow(0, begin, count).copy_(at::matmul(gradient, head));
    if (for_head) out.head.add_(at::matmul(gradient.t(), x));
  }
  if (for_head) out.head = out.head.to(head.scalar_type());
  return out;
}

class ChunkedLoss : public torch::autograd::Function<ChunkedLoss> {
 public:
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& hidden, const at::Tensor& head,
                            const at::Tensor& targets, const TokenLoss& token_loss, std::int64_t chunk) {
    LossAndGradients computed =
        compute(hidden, head, targets, token_loss, chunk, hidden.requires_grad(), head.requires_grad());
    context->saved_data["hidden"] = computed.hidden;
    context->saved_data["head"] = computed.head;
    return computed.loss;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list upstream) {
    const auto scaled = [&](const char* name) {
      const at::Tensor gradient = context->saved_data[name].toTensor();
      return gradient.defined() ? gradient * upstream[0].to(gradient.scalar_type()) : gradient;
    };
    return {scaled("hidden"), scaled("head"), at::Tensor(), at::Tensor(), at::Tensor()};
  }
};

}  // namespace

std::int64_t automatic_loss_chunk(std::int64_t vocabulary) {
  return std::max<std::int64_t>(64, kChunkBytes / (4 * vocabulary));
}

at::Tensor chunked_loss(const at::Tensor& hidden, const at::Tensor& head, const at::Tensor& targets,
                        const TokenLoss& token_loss, std::int64_t chunk) {
  if (!at::GradMode::is_enabled() || !(hidden.requires_grad() || head.requires_grad()))
    return compute(hidden, head, targets, token_loss, chunk, false, false).loss;
  return ChunkedLoss::apply(hidden, head, targets, token_loss, chunk);
}

at::Tensor chunked_loss(const at::Tensor& hidden, const at::Tensor& head, const at::Tensor& targets,
                        const at::Tensor& weights, std::int64_t chunk) {
  const auto imitate = [&](const at::Tensor& log_probabilities, std::int64_t begin) -> TokenTerms {
    const at::Tensor some = weights.narrow(0, begin, log_probabilities.size(0));
    return {.loss = at::dot(log_probabilities, some).neg_(), .weights = some};
  };
  return chunked_loss(hidden, head, targets, imitate, chunk);
}

at::Tensor target_log_probabilities(const at::Tensor& hidden, const at::Tensor& head, const at::Tensor& targets,
                                    std::int64_t chunk) {
  const at::NoGradGuard no_grad;
  at::Tensor out = at::empty({targets.size(0)}, hidden.options().dtype(at::kFloat));
  const auto note = [&](const at::Tensor& log_probabilities, std::int64_t begin) -> TokenTerms {
    out.narrow(0, begin, log_probabilities.size(0)).copy_(log_probabilities);
    return {.loss = at::zeros({}, out.options()), .weights = {}};
  };
  compute(hidden, head, targets, note, chunk, false, false);
  return out;
}

}  // namespace tritonrl::train
