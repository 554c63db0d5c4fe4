#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "generate/remote_generator.h"

namespace tritonrl::rl {

// Where the weights are that a server must have to answer.
struct ServedWeightsOptions {
  std::string name = "tritonrl";  // of the adapter there, before its version
  // Answers without the server's own tokens and their log-probabilities are refused: what is reinforced must be what
  // was drawn.
  bool tokens_needed = true;
  std::function<std::int64_t()> version;             // of the weights as they are
  std::function<std::string(std::int64_t)> publish;  // writes them to a folder that the server sees; its path
  std::function<void(std::int64_t)> published = {};  // the server has them, and no others; may be empty
};

// Answers from a server that speaks OpenAI's /v1/completions and loads adapters as vLLM does. Before it is asked it
// gets the weights as they are, under a name of their own ("tritonrl-v12"), and forgets those before: no answer can
// come from others. Samples carry that version.
class ServedWeights : public generate::Generator {
 public:
  // `server` must outlive it.
  ServedWeights(generate::RemoteGenerator& server, ServedWeightsOptions options)
      : server_(server), options_(std::move(options)) {}

  std::vector<record::Sample> generate(std::span<const generate::GenerateRequest> requests,
                                       const generate::GenerateEvents& events = {}) override;

 private:
  void follow();

  generate::RemoteGenerator& server_;
  ServedWeightsOptions options_;
  std::string served_;  // the adapter that it has; empty: none of ours
};

}  // namespace tritonrl::rl
