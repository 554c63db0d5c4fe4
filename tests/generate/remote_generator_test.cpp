#include "generate/remote_generator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <thread>

#include "base/error.h"
#include "generate/draws.h"
#include "generate/scripted_generator.h"
#include "http/server.h"
#include "serve/serving.h"
#include "tests/generate/played_server.h"
#include "tests/paths.h"
#include "weights/model_files.h"

namespace tritonrl::generate {
namespace {

using namespace std::chrono_literals;
using base::Json;
using record::FinishReason;
using record::Sample;

const text::ModelText& small_text() {
  static const text::ModelText text = weights::open_tokenizer({.path = source_path("models/embedded")});
  return text;
}

GenerateRequest request(const std::string& id, std::vector<std::int32_t> prompt, int samples = 1) {
  GenerateRequest out;
  out.id = id;
  out.prompt = std::move(prompt);
  out.samples = samples;
  out.seed = 7;
  out.sampling.max_new_tokens = 50;
  return out;
}

// What `tritonrl serve` answers: the same samples as its generator gives here.
class OwnServer : public ::testing::Test {
 protected:
  OwnServer() : generator(script, small_text().tokenizer) {
    serve::ServedParts parts;
    parts.model = {&generator, &small_text(), "small", {.vocabulary = small_text().tokenizer.size(), .context = 100}};
    serve::ServeOptions options;
    options.port = 0;
    serving.emplace(options, "word", parts);
    thread = std::thread([this] { serving->run(10s); });
  }
  ~OwnServer() override {
    serving->stop();
    thread.join();
  }
  static std::string script(const GenerateRequest& request, int index) {
    return "answer " + std::to_string(index) + " to " + std::to_string(request.prompt.size()) + " tokens";
  }
  RemoteOptions options() const {
    RemoteOptions out = options_for(serving->port());
    out.token = "word";
    return out;
  }

  ScriptedGenerator generator;
  std::optional<serve::Serving> serving;
  std::thread thread;
};

TEST_F(OwnServer, GivesTheSamplesOfItsGenerator) {
  std::vector<GenerateRequest> requests;
  for (int i = 1; i <= 20; ++i)
    requests.push_back(
        request("r" + std::to_string(i), std::vector<std::int32_t>(static_cast<std::size_t>(i), 5), i % 4 + 1));
  requests[3].sampling.stop_strings = {" to"};
  requests[4].sampling.max_new_tokens = 2;
  RemoteGenerator remote(options(), small_text().tokenizer);
  remote.adapter_version = generator.adapter_version = 3;
  std::set<std::pair<std::string, int>> told;
  std::string text;
  GenerateEvents events;
  events.on_sample = [&](const Sample& sample) { told.emplace(sample.id, sample.index); };
  events.on_text = [&](const std::string& id, int, std::string_view part) {
    if (id == "r4") text += part;
    return true;
  };
  const std::vector<Sample> got = remote.generate(requests, events);
  EXPECT_EQ(got, generator.generate(requests));
  EXPECT_EQ(told.size(), got.size());
  EXPECT_EQ(text, "answer 0");
  EXPECT_EQ(remote.context(), 100);
  EXPECT_EQ(remote.generate({}).size(), 0U);
}

TEST_F(OwnServer, GreedySamplesAreAskedForOnce) {
  GenerateRequest greedy = request("g", {1, 2}, 3);
  greedy.sampling.temperature = 0;
  const std::vector<Sample> got = RemoteGenerator(options(), small_text().tokenizer).generate({&greedy, 1});
  ASSERT_EQ(got.size(), 3U);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(got[static_cast<std::size_t>(i)].text, "answer 0 to 2 tokens");
    EXPECT_EQ(got[static_cast<std::size_t>(i)].index, i);
    EXPECT_EQ(got[static_cast<std::size_t>(i)].seed, sample_seed(7, i));
  }
}

TEST_F(OwnServer, SaysWhatMustBeMended) {
  const auto problem = [](const RemoteOptions& options, const GenerateRequest& asked) -> std::string {
    try {
      RemoteGenerator(options, small_text().tokenizer).generate({&asked, 1});
      return "";
    } catch (const base::UserError& error) {
      return error.what();
    }
  };
  const GenerateRequest good = request("r", {1});
  RemoteOptions no_token = options(), other = options(), nobody = options(), none = options();
  no_token.token.clear();
  other.model = "large";
  nobody.url = "http://127.0.0.1:1";
  nobody.retries = 1;
  none.url = "gopher://host";
  EXPECT_NE(problem(no_token, good).find("TRITONRL_TOKEN"), std::string::npos) << problem(no_token, good);
  EXPECT_NE(problem(other, good).find("does not serve large, but small"), std::string::npos) << problem(other, good);
  EXPECT_NE(problem(nobody, good).find("start the server"), std::string::npos) << problem(nobody, good);
  EXPECT_NE(problem(none, good).find("is no address"), std::string::npos) << problem(none, good);
  EXPECT_NE(problem(options(), request("r", {})).find("no tokens"), std::string::npos);
  EXPECT_NE(problem(options(), request("r", std::vector<std::int32_t>(100, 1))).find("context"), std::string::npos);
  EXPECT_NE(problem(options(), request("r", {1 << 30})).find("vocabulary"), std::string::npos);
}

TEST_F(PlayedServer, HearsAllThatWasChosen) {
  play = [](const std::string&, const Json& body, int) {
    return choices(body, R"(,"finish_reason":"length","token_ids":[4,5],"logprobs":{"token_logprobs":[-0.5,-1]})");
  };
  GenerateRequest asked = request("r", {1, 2, 3}, 2);
  asked.seed = 0xf000'0000'0000'0001;
  asked.sampling = {.temperature = 0.7,
                    .top_k = 9,
                    .top_p = 0.8,
                    .min_p = 0.05,
                    .repetition_penalty = 1.1,
                    .max_new_tokens = 33,
                    .stop_strings = {"x", "y"},
                    .stop_tokens = {8},
                    .ignore_stop_tokens = true};
  const std::vector<Sample> got = RemoteGenerator(start(), small_text().tokenizer).generate({&asked, 1});
  EXPECT_EQ(
      bodies.at(0).dump(),
      R"({"model":"base","prompt":[1,2,3],"n":2,"max_tokens":33,"temperature":0.7,"top_p":0.8,)"
      R"("seed":8070450532247928833,"logprobs":0,"return_token_ids":true,"return_tokens_as_token_ids":true,)"
      R"("top_k":9,"min_p":0.05,"repetition_penalty":1.1,"stop":["x","y"],"stop_token_ids":[8],"ignore_eos":true})");
  ASSERT_EQ(got.size(), 2U);
  EXPECT_EQ(got[0].text, "ab 0");
  EXPECT_EQ(got[1].text, "ab 1");
  EXPECT_EQ(got[1].tokens, (std::vector<std::int32_t>{4, 5}));
  EXPECT_EQ(got[1].log_probabilities, (std::vector<float>{-0.5f, -1}));
  EXPECT_EQ(got[1].finish, FinishReason::kLength);
}

struct Form {
  const char* name;
  std::string more;
  std::vector<std::int32_t> tokens;  // empty: tokenised here
  bool has_log_probabilities;
  FinishReason finish;
};

TEST_F(PlayedServer, TokensAreTheServersWhereItGivesThem) {
  const Form forms[] = {
      {"vLLM",
       R"(,"token_ids":[4],"logprobs":{"token_logprobs":[-2]},"finish_reason":"stop","stop_reason":null)",
       {4},
       true,
       FinishReason::kStopToken},
      {"marked",
       R"(,"logprobs":{"tokens":["token_id:4","token_id:70"],"token_logprobs":[-2,-3]},"finish_reason":"stop","stop_reason":"x")",
       {4, 70},
       true,
       FinishReason::kStopString},
      {"stop token",
       R"(,"token_ids":[4],"finish_reason":"stop","stop_reason":4)",
       {4},
       false,
       FinishReason::kStopToken},
      {"words",
       R"(,"logprobs":{"tokens":["ab"],"token_logprobs":[-2]},"finish_reason":"length")",
       {},
       false,
       FinishReason::kLength},
      {"nothing", "", {}, false, FinishReason::kCancelled},
      {"nulls", R"(,"token_ids":null,"logprobs":null,"finish_reason":null)", {}, false, FinishReason::kCancelled},
      {"too few",
       R"(,"token_ids":[4,5],"logprobs":{"token_logprobs":[-2]},"finish_reason":"length")",
       {4, 5},
       false,
       FinishReason::kLength},
      {"a null among them",
       R"(,"token_ids":[4],"logprobs":{"token_logprobs":[null]},"finish_reason":"length")",
       {4},
       false,
       FinishReason::kLength},
      {"no ids", R"(,"token_ids":[4,-1],"finish_reason":"length")", {}, false, FinishReason::kLength},
      {"large ids", R"(,"token_ids":[4e300],"finish_reason":"length")", {}, false, FinishReason::kLength},
      {"half marked",
       R"(,"logprobs":{"tokens":["token_id:4","b"]},"finish_reason":"length")",
       {},
       false,
       FinishReason::kLength},
  };
  const RemoteOptions options = start();
  for (const Form& form : forms) {
    SCOPED_TRACE(form.name);
    play = [&](const std::string&, const Json& body, int) { return choices(body, form.more); };
    const GenerateRequest asked = request("r", {1});
    const Sample got = RemoteGenerator(options, small_text().tokenizer).generate({&asked, 1}).at(0);
    EXPECT_EQ(got.tokens, form.tokens.empty() ? small_text().tokenizer.encode("ab 0") : form.tokens);
    EXPECT_EQ(got.log_probabilities.size(), form.has_log_probabilities ? got.tokens.size() : 0);
    EXPECT_EQ(got.finish, form.finish);
  }
}

TEST_F(PlayedServer, WhatPassesIsAskedAgain) {
  play = [](const std::string&, const Json& body, int count) -> http::Answer {
    if (count == 1) return {.status = 429, .body = "later"};
    if (count == 2) return {.status = 503, .body = "starting"};
    if (count == 3) return {.status = 500, .body = "oops"};
    if (count == 4) return {.body = "not json"};
    return choices(body, "");
  };
  std::vector<GenerateRequest> requests;
  for (int i = 0; i < 6; ++i) requests.push_back(request("r" + std::to_string(i), {i}));
  const std::vector<Sample> got = RemoteGenerator(start(), small_text().tokenizer).generate(requests);
  for (const Sample& sample : got) EXPECT_EQ(sample.text, "ab 0");
  EXPECT_EQ(bodies.size(), 30U);
}

TEST_F(PlayedServer, NonsenseAndRefusalsAreSaidAndWhatFinishedIsKept) {
  const struct {
    const char* body;
    int status;
    const char* said;
  } cases[] = {
      {"", 200, "no completion"},
      {"[]", 200, "no completion"},
      {R"({"choices":3})", 200, "no completion"},
      {R"({"choices":[]})", 200, "lacks a choice"},
      {R"({"choices":[3]})", 200, "no index"},
      {R"({"choices":[{"index":0}]})", 200, "no text"},
      {R"({"choices":[{"index":5,"text":""}]})", 200, "a choice too many"},
      {R"({"choices":[{"index":-1,"text":""}]})", 200, "a choice too many"},
      {R"({"choices":[{"index":1e300,"text":""}]})", 200, "no index"},
      {R"({"error":{"message":"the prompt\nis too long"}})", 400, "status 400: the prompt is too long"},
      {R"({"object":"error","message":"no such model"})", 404, "no such model"},
      {"<html>", 302, "status 302"},
  };
  const RemoteOptions options = start();
  for (const auto& one : cases) {
    SCOPED_TRACE(one.body);
    play = [&](const std::string&, const Json& body, int) -> http::Answer {
      if (body.at("prompt").at(0).integer() == 1) return choices(body, "");
      return {.status = one.status, .body = one.body};
    };
    RemoteOptions single = options;
    single.concurrency = 1;
    const GenerateRequest requests[] = {request("good", {1}), request("bad", {2}), request("never", {3})};
    int told = 0;
    GenerateEvents events;
    events.on_sample = [&](const Sample& sample) { told += sample.id == "good" ? 1 : 100; };
    try {
      RemoteGenerator(single, small_text().tokenizer).generate(requests, events);
      ADD_FAILURE() << "it was taken";
    } catch (const base::UserError& error) {
      EXPECT_NE(std::string(error.what()).find(one.said), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("request bad"), std::string::npos) << error.what();
    }
    EXPECT_EQ(told, 1);
  }
}

TEST_F(PlayedServer, ACancellationKeepsWhatFinished) {
  play = [this](const std::string&, const Json& body, int) {
    if (body.at("prompt").at(0).integer() == 2) {
      while (!over) std::this_thread::sleep_for(1ms);
    }
    return choices(body, "");
  };
  RemoteOptions options = start();
  options.concurrency = 2;
  const GenerateRequest requests[] = {request("quick", {1}, 2), request("slow", {2}, 2), request("slow too", {2})};
  std::atomic<int> told = 0;
  GenerateEvents events;
  events.on_sample = [&](const Sample&) { ++told; };
  events.cancelled = [&] { return told >= 2; };
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<Sample> got = RemoteGenerator(options, small_text().tokenizer).generate(requests, events);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
  ASSERT_EQ(got.size(), 5U);
  EXPECT_EQ(got[1].text, "ab 1");
  for (std::size_t i = 2; i < 5; ++i) {
    EXPECT_EQ(got[i].finish, FinishReason::kCancelled);
    EXPECT_TRUE(got[i].tokens.empty());
  }
  EXPECT_EQ(told, 5);
  over = true;
}

TEST_F(PlayedServer, NoMoreAreOnTheirWayThanMayBe) {
  std::atomic<int> under_way = 0, most = 0;
  play = [&](const std::string&, const Json& body, int) {
    const int now = ++under_way;
    int before = most;
    while (before < now && !most.compare_exchange_weak(before, now)) {
    }
    std::this_thread::sleep_for(5ms);
    --under_way;
    return choices(body, "");
  };
  RemoteOptions options = start();
  options.concurrency = 3;
  std::vector<GenerateRequest> requests;
  for (int i = 0; i < 20; ++i) requests.push_back(request(std::to_string(i), {i}));
  EXPECT_EQ(RemoteGenerator(options, small_text().tokenizer).generate(requests).size(), 20U);
  EXPECT_LE(most, 3);
}

TEST_F(PlayedServer, AdaptersAreLoadedAndUnloaded) {
  play = [](const std::string& path, const Json& body, int) -> http::Answer {
    if (path == "/v1/load_lora_adapter" && body.at("lora_path").text() == "/none")
      return {.status = 404, .body = R"({"message":"no such folder"})"};
    if (path == "/v1/unload_lora_adapter" && body.at("lora_name").text() == "other")
      return {.status = 404, .body = "unknown"};
    if (path == "/v1/completions") return choices(body, "");
    return {.body = "Success"};
  };
  RemoteGenerator remote(start(), small_text().tokenizer);
  const GenerateRequest asked = request("r", {1});
  const auto model = [&] {
    remote.generate({&asked, 1});
    return bodies.back().at("model").text();
  };
  EXPECT_EQ(model(), "base");
  remote.load_adapter("mine", "/adapters/1");
  EXPECT_EQ(paths.back(), "/v1/load_lora_adapter");
  EXPECT_EQ(bodies.back().dump(), R"({"lora_name":"mine","lora_path":"/adapters/1"})");
  EXPECT_EQ(paths.at(paths.size() - 2), "/v1/unload_lora_adapter");
  EXPECT_EQ(model(), "mine");
  EXPECT_THROW(remote.load_adapter("broken", "/none"), base::UserError);
  EXPECT_THROW(remote.unload_adapter("other"), base::UserError);
  EXPECT_EQ(model(), "mine");
  remote.unload_adapter("mine");
  EXPECT_EQ(model(), "base");
}

}  // namespace
}  // namespace tritonrl::generate
