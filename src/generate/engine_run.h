#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <deque>
#include <set>
#include <span>
#include <vector>

#include "generate/engine.h"
#include "generate/growing_sample.h"

namespace tritonrl::generate {

// One call of Engine::generate. Requests start strictly in their order, so none starves.
//
// If a prompt's samples do not all find a slot, the prompt's own slot waits, unstepped, as their root until the last of
// them takes it over. Since only the first request of the queue can be half started, at most one slot waits, and
// whatever else is in use grows: there is always progress.
class EngineRun {
 public:
  EngineRun(Engine& engine, std::span<const GenerateRequest> requests, const GenerateEvents& events);
  // Gives all slots back, also after an exception.
  ~EngineRun();
  EngineRun(const EngineRun&) = delete;
  EngineRun& operator=(const EngineRun&) = delete;

  std::vector<record::Sample> run();

 private:
  struct Waiting {
    const GenerateRequest* request = nullptr;
    std::size_t place = 0;             // of its next sample in the results
    int started = 0;                   // samples
    int root = -1;                     // slot of the computed prompt that further samples continue; -1: none
    at::Tensor root_logits;            // [1, vocabulary]
    std::int64_t adapter_version = 0;  // that computed the prompt

    int left() const { return request->samples - started; }
  };
  struct Growing {
    int slot = 0;
    std::size_t place = 0;
    std::int32_t last = 0;  // token that the decoder has not seen yet
    GrowingSample sample;
  };
  // Samples about to take their first token: each with the row of `logits` that it comes from.
  struct Starting {
    std::vector<Growing> samples;
    std::vector<std::int64_t> rows;
  };

  void fill_slots();
  Starting continue_root(Waiting& waiting, at::Tensor& logits);
  Starting start_prompts(at::Tensor& logits);
  void start_sample(Waiting& waiting, int slot, std::int64_t row, Starting& starting);
  void begin(Starting starting, const at::Tensor& logits);
  void step();
  void accept(std::vector<Growing>& samples, const Sampled& sampled);
  void cancel_all();
  void deliver(std::size_t place, record::Sample sample);

  int take_slot();
  void release(int slot);

  Engine& engine_;
  const GenerateEvents& events_;
  std::deque<Waiting> queue_;
  std::vector<Growing> growing_;  // in the order of requests, so that samples of one prompt are neighbours
  at::Tensor next_tokens_;        // of growing_, on the device; undefined when growing_ changed
  std::set<int> owned_;           // slots in use by this run
  std::vector<record::Sample> results_;
};

}  // namespace tritonrl::generate
