#include "model/loss.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/full_like.h>

namespace tritonrl::model {
namespace {

at::Tensor losses(const at::Tensor& logits, const at::Tensor& targets, at::Reduction::Reduction reduction) {
  return at::cross_entropy_loss(logits.to(at::kFloat), targets, /*weight=*/{}, reduction, kNoLabel);
}

}  // namespace

at::Tensor next_labels(const at::Tensor& labels, const PackedBatch& batch) {
  at::Tensor targets = at::full_like(labels, kNoLabel);
  if (batch.total() > 1) targets.narrow(0, 0, batch.total() - 1).copy_(labels.narrow(0, 1, batch.total() - 1));
  targets.index_fill_(0, batch.starts.narrow(0, 1, batch.starts.size(0) - 1).to(at::kLong) - 1, kNoLabel);
  return targets;
}

at::Tensor target_log_probabilities(const at::Tensor& logits, const at::Tensor& targets) {
  return -losses(logits, targets, at::Reduction::None);
}

at::Tensor cross_entropy(const at::Tensor& logits, const at::Tensor& targets) {
  return losses(logits, targets, at::Reduction::Mean);
}

}  // namespace tritonrl::model
