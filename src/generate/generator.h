#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "record/sample.h"

namespace tritonrl::generate {

struct SamplingOptions {
  double temperature = 1.0;         // 0: greedy
  int top_k = 0;                    // 0: off
  double top_p = 1.0;               // 1: off
  double min_p = 0.0;               // 0: off; keeps tokens of at least this part of the likeliest one's probability
  double repetition_penalty = 1.0;  // 1: off; over prompt and answer, as transformers does
  int max_new_tokens = 1024;
  std::vector<std::string> stop_strings;
  std::vector<std::int32_t> stop_tokens;  // beside the model's own end-of-turn tokens
  bool ignore_stop_tokens = false;        // benchmarks: always max_new_tokens

  // All that a caller chooses.
  void fields(base::FieldVisitor& field) {
    TRL_FIELDS(field, temperature, top_k, top_p, min_p, repetition_penalty, max_new_tokens, stop_strings);
  }
};

struct GenerateRequest {
  std::string id;
  std::vector<std::int32_t> prompt;
  int samples = 1;         // N answers from one prefill
  std::uint64_t seed = 0;  // sample i draws from its own stream of (seed, i), whatever runs beside it
  SamplingOptions sampling;
};

// What a caller hears while samples grow. Called on the generating thread, in order for each sample. Returning false
// from on_text cancels that sample.
struct GenerateEvents {
  std::function<bool(const std::string& id, int index, std::string_view new_text)> on_text;
  std::function<void(const record::Sample&)> on_sample;  // finished; in order of completion
  // Asked between steps; true ends everything: samples under way as they are, those not begun without a token, all of
  // them kCancelled.
  std::function<bool()> cancelled;
};

// Anything that answers prompts: our engine, a remote server, a script of tests.
class Generator {
 public:
  virtual ~Generator() = default;
  // All samples of all requests, in the order of requests and sample indices. UserError for a request that cannot be
  // served (empty prompt, longer than the context, bad option), before anything runs.
  virtual std::vector<record::Sample> generate(std::span<const GenerateRequest> requests,
                                               const GenerateEvents& events = {}) = 0;
};

}  // namespace tritonrl::generate
