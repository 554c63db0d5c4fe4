#include "model/packed_batch.h"

#include <ATen/ops/empty.h>

#include <algorithm>

#include "base/check.h"

namespace tritonrl::model {

PackedBatch PackedBatch::make(std::span<const std::span<const std::int32_t>> sequences, c10::Device device) {
  std::int64_t total = 0;
  for (const auto& sequence : sequences) total += static_cast<std::int64_t>(sequence.size());
  PackedBatch batch;
  batch.tokens = at::empty({total}, at::kLong);
  batch.positions = at::empty({total}, at::kLong);
  batch.starts = at::empty({static_cast<std::int64_t>(sequences.size()) + 1}, at::kInt);
  auto* tokens = batch.tokens.mutable_data_ptr<std::int64_t>();
  auto* positions = batch.positions.mutable_data_ptr<std::int64_t>();
  auto* starts = batch.starts.mutable_data_ptr<std::int32_t>();
  std::int64_t at = 0;
  for (const auto& sequence : sequences) {
    TRL_CHECK(!sequence.empty(), "an empty sequence in a batch");
    *starts++ = static_cast<std::int32_t>(at);
    for (std::size_t i = 0; i < sequence.size(); ++i, ++at) {
      tokens[at] = sequence[i];
      positions[at] = static_cast<std::int64_t>(i);
    }
    batch.lengths.push_back(static_cast<std::int64_t>(sequence.size()));
    batch.longest = std::max(batch.longest, batch.lengths.back());
  }
  *starts = static_cast<std::int32_t>(at);
  batch.tokens = batch.tokens.to(device);
  batch.positions = batch.positions.to(device);
  batch.starts = batch.starts.to(device);
  return batch;
}

PackedBatch PackedBatch::make(const std::vector<std::vector<std::int32_t>>& sequences, c10::Device device) {
  const std::vector<std::span<const std::int32_t>> spans(sequences.begin(), sequences.end());
  return make(spans, device);
}

bool PackedBatch::uniform() const {
  return std::all_of(lengths.begin(), lengths.end(), [&](std::int64_t n) { return n == longest; });
}

}  // namespace tritonrl::model
