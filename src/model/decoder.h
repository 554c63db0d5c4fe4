#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "model/transformer.h"

namespace tritonrl::model {

struct DecoderOptions {
  int slots = 32;                                  // sequences that can be alive at once
  std::int64_t capacity = 2048;                    // tokens of one slot, prompt and answer together
  std::optional<at::ScalarType> cache_dtype = {};  // none: the model's. bf16 halves the memory that a step reads
};

// Continues sequences token by token over a cache of keys and values. Shares the model's weights, also while a trainer
// changes them between calls. Not thread-safe. The model must outlive it.
//
// A step does no work on the host that depends on values, so a graph can capture it: everything about a slot that
// changes lives in tensors.
class Decoder {
 public:
  Decoder(const Transformer& model, const DecoderOptions& options);
  ~Decoder();

  struct Prompt {
    int slot = 0;  // must be free
    std::span<const std::int32_t> tokens;
  };
  // Fills slots; gives the logits [prompts, vocabulary], float32, of each prompt's last token. UserError if a prompt is
  // empty or longer than the capacity.
  at::Tensor prefill(std::span<const Prompt> prompts);

  // Slot `to` becomes a second continuation of what slot `from` holds now. Where the device allows it the prefix is
  // shared, read once a step for all its continuations that are neighbours in `slots`, and `from` stays in memory until
  // the last of them is released. `from` must not have been stepped yet; it may be afterwards, as one continuation
  // more.
  void fork(int from, int to);

  // Appends tokens[i] (int64, on the model's device) to slots[i], which are distinct and not full; gives the logits
  // [slots, vocabulary], float32, of what follows.
  at::Tensor step(const at::Tensor& tokens, std::span<const int> slots);

  // The slot is free again.
  void release(int slot);

  std::int64_t length(int slot) const;  // tokens in it; 0: free. A released slot whose prefix is still read is not
  const DecoderOptions& options() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tritonrl::model
