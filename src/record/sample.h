#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tritonrl::base {
class FieldVisitor;
}

namespace tritonrl::record {

enum class FinishReason {
  kStopToken,   // an end-of-turn token; it is the last of `tokens`
  kStopString,  // the text contains a stop string; `text` ends before it, `tokens` holds what was sampled
  kLength,      // max_new_tokens, or the context was full
  kCancelled,   // the caller stopped it
};
std::span<const char* const> enum_names(FinishReason);
std::string_view name_of(FinishReason reason);  // "stop_token"

// One answer of a model. Token ids and log-probabilities travel with it from generation to training: nothing is
// tokenised again on the way.
struct Sample {
  std::string id;                        // the request's
  int index = 0;                         // which of the request's N samples
  std::vector<std::int32_t> prompt;      // token ids
  std::vector<std::int32_t> tokens;      // sampled ids, the stop token included
  std::vector<float> log_probabilities;  // of `tokens`, under the model's own distribution (temperature 1, no filters)
  std::string text;                      // decoded, without special tokens and from a stop string on nothing
  FinishReason finish = FinishReason::kLength;
  std::uint64_t seed = 0;            // of this sample
  std::int64_t adapter_version = 0;  // of the weights that wrote it; the oldest if they changed under way
  int turn = 0;                      // reserved for refinement over several turns
  std::string parent_id;             // likewise
  void fields(base::FieldVisitor& field);
  bool operator==(const Sample&) const = default;
};

// One line of JSON: id, index, text, finish, tokens, log_probabilities, seed, adapter_version, prompt, and turn and
// parent_id where they are set. Reading it back gives an equal Sample.
std::string to_json(const Sample& sample);
base::Result<Sample> sample_from_json(std::string_view text);

}  // namespace tritonrl::record
