#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/fields.h"
#include "generate/generator.h"
#include "generate/request_check.h"
#include "http/client.h"
#include "text/tokenizer/tokenizer.h"

namespace tritonrl::generate {

struct RemoteOptions {
  std::string url;         // "http://host:8000", with or without "/v1" behind it
  std::string token = {};  // sent as Authorization: Bearer
  std::string model = {};  // its name there; empty: the only one that the server lists
  int concurrency = 16;    // requests on their way at once
  int retries = 8;         // of a request that failed for no lasting reason; pauses double from `retry_ms`
  std::int64_t retry_ms = 500;
  std::int64_t connect_ms = 5'000;
  std::int64_t idle_seconds =
      1'200;  // in which nothing comes: a server answers when all samples of a request are there
};

// Whether a model's name is the address of a server.
bool is_server_address(const std::string& name);

// Asks a server that speaks OpenAI's /v1/completions, as vLLM and `tritonrl serve` do: prompts go as token ids, one
// request for each with all its samples.
//
// Tokens are the server's own where it gives them (return_token_ids, or tokens as "token_id:N"); with log-probabilities
// for each of them (the model's own, as vLLM gives them unless it was told otherwise). Where it does not, the text is
// tokenised here: such a sample has no log-probabilities, and must not be trained on as if it had been drawn so.
//
// Samples of a request come together: on_text hears each as a whole, and cannot cancel one alone. After a cancellation
// what finished is kept; the others are kCancelled, without tokens. UserError for a server that cannot be reached or
// refuses; then too, finished samples were told to on_sample before.
class RemoteGenerator : public Generator {
 public:
  // Asks nothing yet. `tokenizer`: the model's.
  RemoteGenerator(const RemoteOptions& options, text::Tokenizer tokenizer);

  std::vector<record::Sample> generate(std::span<const GenerateRequest> requests,
                                       const GenerateEvents& events = {}) override;

  // The tokens that the model's context holds, where the server tells. Asks it.
  std::optional<std::int64_t> context();

  // vLLM's runtime LoRA: from now on answers are those of the adapter in `folder`, a path on the server's machine; it
  // takes the place of one of the same name. UserError where the server refuses.
  void load_adapter(const std::string& name, const std::string& folder);
  // Answers are the base model's again.
  void unload_adapter(const std::string& name);

  std::int64_t adapter_version = 0;  // what samples carry; the caller counts

 private:
  class Run;
  struct Served {
    std::string model;
    std::optional<std::int64_t> context;
  };
  const Served& served();
  http::ClientAnswer post(const std::string& path, const base::Json& body, std::string& answer) const;
  http::Client client() const;

  RemoteOptions options_;
  const text::Tokenizer tokenizer_;
  std::optional<Served> served_;
  std::string adapter_;  // the name that is asked for in place of the model's
};

}  // namespace tritonrl::generate
