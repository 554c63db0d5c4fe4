#include "rl/served_weights.h"

#include <algorithm>

#include "base/error.h"

namespace tritonrl::rl {

void ServedWeights::follow() {
  const std::int64_t version = options_.version();
  if (!served_.empty() && version == server_.adapter_version) return;
  const std::string name = options_.name + "-v" + std::to_string(version);
  server_.load_adapter(name, options_.publish(version));
  server_.adapter_version = version;
  const std::string before = std::exchange(served_, name);
  if (!before.empty()) server_.unload_adapter(before);
  if (options_.published) options_.published(version);
}

std::vector<record::Sample> ServedWeights::generate(std::span<const generate::GenerateRequest> requests,
                                                    const generate::GenerateEvents& events) {
  follow();
  std::vector<record::Sample> out = server_.generate(requests, events);
  const auto drawn = [](const record::Sample& sample) {
    return sample.finish == record::FinishReason::kCancelled || sample.tokens.size() == sample.log_probabilities.size();
  };
  if (options_.tokens_needed && !std::ranges::all_of(out, drawn))
    throw base::UserError("rl",
                          "the server gives no token ids with their log-probabilities, and what was not drawn so must "
                          "not be reinforced: vLLM does that has return_token_ids, or use --method best_of");
  return out;
}

}  // namespace tritonrl::rl
