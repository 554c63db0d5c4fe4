#include "rl/served_weights.h"

#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "tests/generate/played_server.h"
#include "tests/paths.h"
#include "weights/model_files.h"

namespace tritonrl::rl {
namespace {

using base::Json;

// It loads adapters as vLLM does, and answers with tokens or without.
class AdapterServer : public generate::PlayedServer {
 protected:
  AdapterServer() {
    play = [this](const std::string& path, const Json& body, int) {
      const std::lock_guard lock(state_);
      return path == "/v1/completions" ? completion(body) : change(path, body);
    };
    generate::RemoteOptions options = start();
    options.retries = 0;
    remote_.emplace(options, weights::open_tokenizer({.path = source_path("models/embedded")}).tokenizer);
  }

  http::Answer completion(const Json& body) {
    asked_.push_back(body.at("model").text());
    return choices(body, gives_tokens_
                             ? R"(,"token_ids":[5,6],"logprobs":{"token_logprobs":[-0.5,-0.25]},"finish_reason":"stop")"
                             : R"(,"finish_reason":"stop")");
  }
  http::Answer change(const std::string& path, const Json& body) {
    const std::string& name = body.at("lora_name").text();
    if (path == "/v1/load_lora_adapter") {
      if (refuses_) return {.status = 400, .body = R"({"message":"no such folder"})"};
      done_.push_back("load " + name + " from " + body.at("lora_path").text());
      loaded_.insert(name);
      return {.body = "ok"};
    }
    const bool known = loaded_.erase(name) > 0;
    if (known) done_.push_back("unload " + name);
    return {.status = known ? 200 : 404, .body = known ? "ok" : "unknown"};
  }

  ServedWeights served(bool tokens_needed = true) {
    return {*remote_,
            {.tokens_needed = tokens_needed,
             .version = [this] { return version_; },
             .publish = [](std::int64_t version) { return "/adapters/" + std::to_string(version); }}};
  }
  static record::Sample one(ServedWeights& from) {
    generate::GenerateRequest request;
    request.id = "r";
    request.prompt = {1, 2};
    request.sampling.max_new_tokens = 8;
    return from.generate({&request, 1}).at(0);
  }

  std::mutex state_;
  std::set<std::string> loaded_;
  std::vector<std::string> asked_, done_;
  bool gives_tokens_ = true, refuses_ = false;
  std::int64_t version_ = 4;
  std::optional<generate::RemoteGenerator> remote_;
};

TEST_F(AdapterServer, AnswersWithTheWeightsAsTheyAre) {
  ServedWeights weights = served();
  EXPECT_EQ(one(weights).adapter_version, 4);
  EXPECT_EQ(one(weights).adapter_version, 4);
  version_ = 7;
  const record::Sample sample = one(weights);
  EXPECT_EQ(sample.adapter_version, 7);
  EXPECT_EQ(sample.tokens, (std::vector<std::int32_t>{5, 6}));
  EXPECT_EQ(sample.log_probabilities, (std::vector<float>{-0.5, -0.25}));
  EXPECT_EQ(asked_, (std::vector<std::string>{"tritonrl-v4", "tritonrl-v4", "tritonrl-v7"}));
  EXPECT_EQ(done_, (std::vector<std::string>{"load tritonrl-v4 from /adapters/4", "load tritonrl-v7 from /adapters/7",
                                             "unload tritonrl-v4"}));
}

TEST_F(AdapterServer, WhatWasNotDrawnIsNotReinforced) {
  gives_tokens_ = false;
  ServedWeights strict = served(), lenient = served(/*tokens_needed=*/false);
  EXPECT_THROW(one(strict), base::UserError);
  EXPECT_FALSE(one(lenient).tokens.empty());
}

TEST_F(AdapterServer, NothingIsAskedOfOtherWeights) {
  ServedWeights weights = served();
  one(weights);
  refuses_ = true;
  version_ = 5;
  EXPECT_THROW(one(weights), base::UserError);
  EXPECT_EQ(asked_.size(), 1U);
}

}  // namespace
}  // namespace tritonrl::rl
