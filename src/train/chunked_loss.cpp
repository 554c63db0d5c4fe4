#include "train/chunked_loss.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/dot.h>
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
                         const at::Tensor& weights, std::int64_t chunk, bool for_hidden, bool for_head) {
  const std::int64_t rows = hidden.size(0);
  LossAndGradients out;
  out.loss = at::zeros({}, weights.options());
  if (for_hidden) out.hidden = at::empty_like(hidden);
  // chunks are added up in float32
  if (for_head) out.head = at::zeros(head.sizes(), head.options().dtype(at::kFloat));
  for (std::int64_t begin = 0; begin < rows; begin += chunk) {
    const std::int64_t count = std::min(chunk, rows - begin);
    const at::Tensor x = hidden.narrow(0, begin, count);
    const at::Tensor target = targets.narrow(0, begin, count).unsqueeze(1);
    const at::Tensor weight = weights.narrow(0, begin, count);
    at::Tensor log_probabilities = at::log_softmax(at::matmul(x, head.t()), 1, at::kFloat);
    out.loss.sub_(at::dot(log_probabilities.gather(1, target).squeeze(1), weight));
    if (!for_hidden && !for_head) continue;
    // weight * (softmax - one at the target)
    at::Tensor gradient = log_probabilities.exp_().mul_(weight.unsqueeze(1));
    gradient.scatter_add_(1, target, -weight.unsqueeze(1));
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
                            const at::Tensor& targets, const at::Tensor& weights, std::int64_t chunk) {
    LossAndGradients computed =
        compute(hidden, head, targets, weights, chunk, hidden.requires_grad(), head.requires_grad());
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
                        const at::Tensor& weights, std::int64_t chunk) {
  if (chunk <= 0) chunk = automatic_loss_chunk(head.size(0));
  if (!at::GradMode::is_enabled() || !(hidden.requires_grad() || head.requires_grad()))
    return compute(hidden, head, targets, weights, chunk, false, false).loss;
  return ChunkedLoss::apply(hidden, head, targets, weights, chunk);
}

}  // namespace tritonrl::train
