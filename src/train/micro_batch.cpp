#include "train/micro_batch.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>

#include <algorithm>
#include <vector>

namespace tritonrl::train {
namespace {

template <class Change>
MicroBatch with_all(MicroBatch batch, const Change& change) {
  for (at::Tensor* tensor :
       {&batch.batch.tokens, &batch.batch.positions, &batch.batch.starts, &batch.rows, &batch.targets, &batch.weights,
        &batch.old_log_probabilities, &batch.reference_log_probabilities}) {
    if (tensor->defined()) *tensor = change(*tensor);
  }
  return batch;
}

}  // namespace

MicroBatch make_micro_batch(std::span<const Example* const> examples) {
  std::vector<std::span<const std::int32_t>> sequences;
  std::int64_t labelled = 0;
  for (const Example* example : examples) {
    sequences.emplace_back(example->tokens);
    // nothing comes before a sequence's first token, so nothing can predict it
    labelled += example->length() - std::max<std::int64_t>(1, example->prompt);
  }
  MicroBatch out{.batch = model::PackedBatch::make(sequences, c10::Device(c10::kCPU)),
                 .rows = at::empty({labelled}, at::kLong),
                 .targets = at::empty({labelled}, at::kLong),
                 .weights = at::ones({labelled}, at::kFloat)};
  auto* rows = out.rows.mutable_data_ptr<std::int64_t>();
  auto* targets = out.targets.mutable_data_ptr<std::int64_t>();
  std::int64_t start = 0;
  for (const Example* example : examples) {
    for (std::int64_t i = std::max<std::int64_t>(1, example->prompt); i < example->length(); ++i) {
      *rows++ = start + i - 1;
      *targets++ = example->tokens[static_cast<std::size_t>(i)];
    }
    start += example->length();
  }
  return out;
}

MicroBatch pinned(const MicroBatch& batch) {
  return with_all(batch, [](const at::Tensor& tensor) { return tensor.pin_memory(); });
}

MicroBatch to_device(const MicroBatch& batch, c10::Device device) {
  if (batch.rows.device() == device) return batch;
  return with_all(batch, [&](const at::Tensor& tensor) {
    return tensor.to(tensor.options().device(device), /*non_blocking=*/tensor.is_pinned());
  });
}

}  // namespace tritonrl::train
