#include "model/decoder.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/stack.h>

#include <algorithm>

#include "base/check.h"
#include "base/error.h"
#include "model/kv_cache.h"

namespace tritonrl::model {
namespace {

struct Slot {
  std::int64_t length = 0;  // 0: free
  int leader = -1;          // the slot that holds the first `shared` tokens; itself if others continue it
  std::int64_t shared = 0;
  int followers = 0;      // other slots that read ours
  bool released = false;  // free as soon as the last follower is
};

CacheShape cache_shape(const Transformer& model, const DecoderOptions& options) {
  const weights::ModelConfig& c = model.config();
  return {.layers = model.layers().size(),
          .slots = options.slots,
          .capacity = options.capacity,
          .heads = c.num_attention_heads,
          .kv_heads = c.num_key_value_heads,
          .head_dim = c.head_dim,
          .dtype = options.cache_dtype.value_or(model.dtype()),
          .device = model.options().device};
}

}  // namespace

struct Decoder::State {
  const Transformer& model;
  DecoderOptions options;
  std::unique_ptr<KvCache> cache;
  std::vector<Slot> slots;

  StepPlan plan(const std::vector<StepRow>& rows) const;
  at::Tensor feed(const at::Tensor& tokens, const StepPlan& plan) const;
  at::Tensor float_logits(const at::Tensor& hidden) const { return model.logits(hidden).to(at::kFloat); }
};

Decoder::Decoder(const Transformer& model, const DecoderOptions& options)
    : state_(new State{model, options, nullptr, std::vector<Slot>(static_cast<std::size_t>(options.slots))}) {
  if (options.capacity > model.config().max_position_embeddings) {
    throw base::UserError("model", "a context of " + std::to_string(options.capacity) +
                                       " tokens is longer than the model's max_position_embeddings, " +
                                       std::to_string(model.config().max_position_embeddings));
  }
  state_->cache = make_kv_cache(cache_shape(model, options));
}

Decoder::~Decoder() = default;

at::Tensor Decoder::prefill(std::span<const Prompt> prompts) {
  const at::NoGradGuard no_grad;
  std::vector<std::span<const std::int32_t>> sequences;
  std::vector<PromptRange> ranges;
  std::int64_t start = 0;
  at::Tensor last = at::empty({static_cast<std::int64_t>(prompts.size())}, at::kLong);
  for (const Prompt& prompt : prompts) {
    Slot& slot = state_->slots.at(static_cast<std::size_t>(prompt.slot));
    TRL_CHECK(slot.length == 0 && !slot.released, "a prompt for a slot that is in use");
    const auto length = static_cast<std::int64_t>(prompt.tokens.size());
    if (length == 0 || length > state_->options.capacity) {
      throw base::UserError("model", "a prompt of " + std::to_string(length) + " tokens does not fit a context of " +
                                         std::to_string(state_->options.capacity));
    }
    slot = {.length = length};
    ranges.push_back({prompt.slot, start, length});
    sequences.push_back(prompt.tokens);
    start += length;
    last.mutable_data_ptr<std::int64_t>()[ranges.size() - 1] = start - 1;
  }
  const PackedBatch batch = PackedBatch::make(sequences, state_->model.options().device);
  ForwardOptions options;
  options.sink = [&](std::size_t layer, const at::Tensor& keys, const at::Tensor& values) {
    state_->cache->store(layer, keys, values, ranges);
  };
  const at::Tensor hidden = state_->model.hidden_states(batch, options);
  return state_->float_logits(hidden.index_select(0, last.to(hidden.device())));
}

void Decoder::fork(int from, int to) {
  Slot& source = state_->slots.at(static_cast<std::size_t>(from));
  Slot& target = state_->slots.at(static_cast<std::size_t>(to));
  TRL_CHECK(source.length > 0, "a fork of an empty slot");
  TRL_CHECK(target.length == 0 && !target.released, "a fork into a slot that is in use");
  target.length = source.length;
  if (!state_->cache->shares_prefixes()) {
    const at::NoGradGuard no_grad;
    state_->cache->copy(from, to, source.length);
    return;
  }
  TRL_CHECK(source.leader < 0 || (source.leader == from && source.shared == source.length),
            "a fork of a continuation: fork the prompt's slot before it goes on");
  source.leader = target.leader = from;
  source.shared = target.shared = source.length;
  ++source.followers;
}

StepPlan Decoder::State::plan(const std::vector<StepRow>& rows) const {
  const auto n = static_cast<std::int64_t>(rows.size());
  StepPlan plan;
  plan.rows = rows;
  for (const StepRow& row : rows) plan.longest = std::max(plan.longest, row.position + 1);
  const c10::Device device = model.options().device;
  if (device.is_cpu() && cache->shares_prefixes()) return plan;  // the native cache reads the rows alone
  // One transfer for all of them: [position, slot] and [start, cache start, length].
  const at::Tensor host = at::empty({5, n + 1}, at::TensorOptions().dtype(at::kLong).pinned_memory(device.is_cuda()));
  auto* data = host.mutable_data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i <= n; ++i) {
    const StepRow row = i < n ? rows[static_cast<std::size_t>(i)] : StepRow{};
    data[i] = row.position;
    data[n + 1 + i] = row.slot;
    data[2 * (n + 1) + i] = i;
    data[3 * (n + 1) + i] = row.slot * options.capacity;
    data[4 * (n + 1) + i] = row.position + 1;
  }
  const at::Tensor there = host.to(device, /*non_blocking=*/true);
  const at::Tensor small = there.narrow(0, 2, 3).to(at::kInt);
  plan.positions = there.select(0, 0).narrow(0, 0, n);
  plan.slots = there.select(0, 1).narrow(0, 0, n);
  plan.starts = small.select(0, 0);
  plan.cache_starts = small.select(0, 1);
  plan.lengths = small.select(0, 2).narrow(0, 0, n);
  return plan;
}

at::Tensor Decoder::State::feed(const at::Tensor& tokens, const StepPlan& step) const {
  const auto attend = [&](std::size_t layer, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) {
    return cache->attend(layer, q, k, v, step, model.rope());
  };
  return model.hidden_states(tokens, attend, /*training=*/false);
}

at::Tensor Decoder::step(const at::Tensor& tokens, std::span<const int> slots) {
  const at::NoGradGuard no_grad;
  std::vector<StepRow> rows;
  rows.reserve(slots.size());
  for (const int number : slots) {
    Slot& slot = state_->slots.at(static_cast<std::size_t>(number));
    TRL_CHECK(slot.length > 0 && !slot.released, "a step of a free slot");
    TRL_CHECK(slot.length < state_->options.capacity, "a step of a full slot");
    rows.push_back({number, slot.length, slot.leader, slot.shared});
    ++slot.length;
  }
  return state_->float_logits(state_->feed(tokens, state_->plan(rows)));
}

void Decoder::release(int slot_number) {
  Slot& slot = state_->slots.at(static_cast<std::size_t>(slot_number));
  TRL_CHECK(slot.length > 0 && !slot.released, "a release of a free slot");
  slot.released = true;
  if (slot.followers > 0) return;
  const int leader = slot.leader;
  slot = {};
  if (leader < 0 || leader == slot_number) return;
  Slot& source = state_->slots.at(static_cast<std::size_t>(leader));
  if (--source.followers == 0 && source.released) source = {};
}

std::int64_t Decoder::length(int slot) const {
  return state_->slots.at(static_cast<std::size_t>(slot)).length;
}

const DecoderOptions& Decoder::options() const {
  return state_->options;
}

}  // namespace tritonrl::model
