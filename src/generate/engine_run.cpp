#include "generate/engine_run.h"

#include <ATen/ops/index_select.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/check.h"
#include "base/error.h"

namespace tritonrl::generate {
namespace {

constexpr int kNoSlot = -1;

at::Tensor to_tensor(const std::vector<std::int64_t>& values, c10::Device device) {
  return at::tensor(values, at::kLong).to(device);
}

}  // namespace

EngineRun::EngineRun(Engine& engine, std::span<const GenerateRequest> requests, const GenerateEvents& events)
    : engine_(engine), events_(events) {
  std::size_t place = 0;
  for (const GenerateRequest& request : requests) {
    queue_.push_back({.request = &request, .place = place, .root_logits = {}});
    place += static_cast<std::size_t>(request.samples);
  }
  results_.resize(place);
}

EngineRun::~EngineRun() {
  // A prefill that threw may have left slots that the decoder does not count as used.
  for (const int slot : owned_) {
    if (engine_.decoder_.length(slot) > 0) engine_.decoder_.release(slot);
  }
}

std::vector<record::Sample> EngineRun::run() {
  while (true) {
    if (events_.cancelled && events_.cancelled()) {
      cancel_all();
      break;
    }
    fill_slots();
    if (growing_.empty()) break;
    step();
  }
  TRL_CHECK(queue_.empty() && growing_.empty(), "samples left behind");
  return std::move(results_);
}

void EngineRun::fill_slots() {
  while (!queue_.empty()) {
    at::Tensor logits;
    Starting starting = queue_.front().root >= 0 ? continue_root(queue_.front(), logits) : start_prompts(logits);
    if (starting.samples.empty()) return;
    begin(std::move(starting), logits);
  }
}

EngineRun::Starting EngineRun::continue_root(Waiting& waiting, at::Tensor& logits) {
  Starting starting;
  logits = waiting.root_logits;
  while (waiting.left() > 1) {
    const int slot = take_slot();
    if (slot == kNoSlot) return starting;
    engine_.decoder_.fork(waiting.root, slot);
    start_sample(waiting, slot, /*row=*/0, starting);
  }
  start_sample(waiting, waiting.root, /*row=*/0, starting);
  queue_.pop_front();
  return starting;
}

EngineRun::Starting EngineRun::start_prompts(at::Tensor& logits) {
  // As many prompts as have slots and fit the budget; the last of them may get too few slots for all its samples.
  std::vector<model::Decoder::Prompt> prompts;
  std::vector<std::vector<int>> slots;  // of each prompt: its own, then those of its forks
  std::int64_t tokens = 0;
  bool enough_slots = true;
  for (auto waiting = queue_.begin(); waiting != queue_.end() && enough_slots; ++waiting) {
    const std::vector<std::int32_t>& prompt = waiting->request->prompt;
    const auto length = static_cast<std::int64_t>(prompt.size());
    if (!prompts.empty() && tokens + length > engine_.options_.prefill_tokens) break;
    std::vector<int> taken;
    while (static_cast<int>(taken.size()) < waiting->left()) {
      const int slot = take_slot();
      if (slot == kNoSlot) break;
      taken.push_back(slot);
    }
    enough_slots = static_cast<int>(taken.size()) == waiting->left();
    if (taken.empty()) break;
    tokens += length;
    prompts.push_back({.slot = taken.front(), .tokens = prompt});
    slots.push_back(std::move(taken));
  }
  Starting starting;
  if (prompts.empty()) return starting;

  logits = engine_.decoder_.prefill(prompts);
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    Waiting& waiting = queue_.front();
    const auto row = static_cast<std::int64_t>(i);
    const int own = slots[i].front();
    waiting.adapter_version = engine_.model_.adapter_version;
    const bool all = static_cast<int>(slots[i].size()) == waiting.left();
    // With a single slot there is none to wait in: the prompt is computed again for the next sample.
    const bool wait = !all && engine_.options_.slots > 1;
    if (!wait) start_sample(waiting, own, row, starting);
    for (std::size_t fork = 1; fork < slots[i].size(); ++fork) {
      engine_.decoder_.fork(own, slots[i][fork]);
      start_sample(waiting, slots[i][fork], row, starting);
    }
    if (wait) {
      waiting.root = own;
      waiting.root_logits = logits.narrow(0, row, 1).clone();
    }
    if (all) queue_.pop_front();
  }
  return starting;
}

void EngineRun::start_sample(Waiting& waiting, int slot, std::int64_t row, Starting& starting) {
  const GenerateRequest& request = *waiting.request;
  const std::int64_t room = engine_.options_.capacity - static_cast<std::int64_t>(request.prompt.size());
  const GrowingSample::Limits limits{.stop_tokens = engine_.stop_tokens_,
                                     .max_tokens = std::min<std::int64_t>(request.sampling.max_new_tokens, room),
                                     .adapter_version = waiting.adapter_version};
  GrowingSample sample(request, waiting.started, engine_.tokenizer_, limits, events_);
  engine_.sampler_.start(slot, request.sampling, sample.sample().seed, request.prompt);
  starting.samples.push_back({.slot = slot, .place = waiting.place, .last = 0, .sample = std::move(sample)});
  starting.rows.push_back(row);
  ++waiting.started;
  ++waiting.place;
}

void EngineRun::begin(Starting starting, const at::Tensor& logits) {
  std::vector<int> slots;
  for (const Growing& sample : starting.samples) slots.push_back(sample.slot);
  const at::Tensor rows = logits.index_select(0, to_tensor(starting.rows, logits.device()));
  accept(starting.samples, engine_.sampler_.sample(rows, slots));
  std::move(starting.samples.begin(), starting.samples.end(), std::back_inserter(growing_));
  next_tokens_.reset();
}

void EngineRun::step() {
  std::vector<int> slots;
  for (const Growing& sample : growing_) slots.push_back(sample.slot);
  if (!next_tokens_.defined()) {
    std::vector<std::int64_t> tokens;
    for (const Growing& sample : growing_) tokens.push_back(sample.last);
    next_tokens_ = to_tensor(tokens, engine_.model_.options().device);
  }
  const at::Tensor logits = engine_.decoder_.step(next_tokens_, slots);
  const Sampled sampled = engine_.sampler_.sample(logits, slots);
  next_tokens_ = sampled.tokens;
  const std::size_t before = growing_.size();
  accept(growing_, sampled);
  if (growing_.size() != before) next_tokens_.reset();
}

void EngineRun::accept(std::vector<Growing>& samples, const Sampled& sampled) {
  const at::Tensor tokens = sampled.tokens.cpu();
  const at::Tensor log_probabilities = sampled.log_probabilities.cpu();
  std::size_t row = 0;
  std::erase_if(samples, [&](Growing& growing) {
    const float log_probability = log_probabilities.const_data_ptr<float>()[row];
    growing.last = static_cast<std::int32_t>(tokens.const_data_ptr<std::int64_t>()[row++]);
    if (std::isnan(log_probability)) {
      throw base::InfrastructureError("generate",
                                      "the model's logits are not numbers; its weights are broken, or their "
                                      "values are too large for " +
                                          std::string(c10::toString(engine_.model_.dtype())));
    }
    if (!growing.sample.add(growing.last, log_probability)) return false;
    release(growing.slot);
    deliver(growing.place, growing.sample.take());
    return true;
  });
}

void EngineRun::cancel_all() {
  for (Growing& growing : growing_) {
    growing.sample.cancel();
    release(growing.slot);
    deliver(growing.place, growing.sample.take());
  }
  growing_.clear();
  for (Waiting& waiting : queue_) {
    if (waiting.root >= 0) release(waiting.root);
    for (; waiting.left() > 0; ++waiting.started, ++waiting.place) {
      const GrowingSample::Limits limits{.stop_tokens = {}, .adapter_version = engine_.model_.adapter_version};
      GrowingSample sample(*waiting.request, waiting.started, engine_.tokenizer_, limits, events_);
      sample.cancel();
      deliver(waiting.place, sample.take());
    }
  }
  queue_.clear();
}

void EngineRun::deliver(std::size_t place, record::Sample sample) {
  results_[place] = std::move(sample);
  if (events_.on_sample) events_.on_sample(results_[place]);
}

int EngineRun::take_slot() {
  for (int slot = 0; slot < engine_.options_.slots; ++slot) {
    // The decoder keeps a finished prompt's slot until the last continuation of it is finished too.
    if (owned_.contains(slot) || engine_.decoder_.length(slot) > 0) continue;
    owned_.insert(slot);
    return slot;
  }
  return kNoSlot;
}

void EngineRun::release(int slot) {
  owned_.erase(slot);
  engine_.decoder_.release(slot);
}

}  // namespace tritonrl::generate
