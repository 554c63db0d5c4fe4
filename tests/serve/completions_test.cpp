#include <gtest/gtest.h>

#include <thread>

#include "generate/scripted_generator.h"
#include "serve/serving.h"
#include "tests/http/raw_client.h"
#include "tests/paths.h"
#include "weights/model_files.h"

namespace tritonrl::serve {
namespace {

using namespace std::chrono_literals;
using base::Json;
using generate::GenerateRequest;
using http::ask;
using http::get;
using http::post;
using http::RawClient;
using http::Received;

// A service with a model that answers "answer 0 to 3 tokens", or what a test wants.
class ScriptedModel : public ::testing::Test {
 protected:
  ScriptedModel() : text(weights::open_tokenizer({.path = source_path("models/embedded")})) {}
  ~ScriptedModel() override {
    if (!thread.joinable()) return;
    go_on = true;
    serving->stop();
    thread.join();
  }

  int start() {
    generator.emplace(
        [this](const GenerateRequest& request, int index) {
          last = request;
          ++asked;
          while (blocked && !go_on) std::this_thread::sleep_for(1ms);
          return "answer " + std::to_string(index) + " to " + std::to_string(request.prompt.size()) + " tokens";
        },
        text.tokenizer);
    ServedParts parts;
    parts.model = {&*generator, &text, "small", {.vocabulary = text.tokenizer.size(), .context = 100}};
    options.port = 0;
    serving.emplace(options, "", parts);
    thread = std::thread([this] { serving->run(10s); });
    return serving->port();
  }
  static Json json_of(const Received& received) { return Json::parse(received.body); }

  const text::ModelText text;
  ServeOptions options;
  std::optional<generate::ScriptedGenerator> generator;
  GenerateRequest last;
  std::atomic<int> asked = 0;
  std::atomic<bool> blocked = false, go_on = false;
  std::optional<Serving> serving;
  std::thread thread;
};

TEST_F(ScriptedModel, ACompletionOfTokenIdsHasTokensAndLogProbabilities) {
  const Received got = ask(
      start(), post("/v1/completions", R"({"model":"small","prompt":[5,6,7],"n":2,"max_tokens":50,"temperature":0.5,)"
                                       R"("top_p":0.9,"top_k":-1,"min_p":0.1,"seed":9,"logprobs":0,)"
                                       R"("return_token_ids":true,"return_tokens_as_token_ids":true,"user":"x"})"));
  EXPECT_EQ(got.status, 200) << got.body;
  const Json json = json_of(got);
  EXPECT_EQ(json.at("object").text(), "text_completion");
  EXPECT_EQ(json.at("model").text(), "small");
  ASSERT_EQ(json.at("choices").size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const Json& choice = json.at("choices").at(i);
    const std::string answer = "answer " + std::to_string(i) + " to 3 tokens";
    EXPECT_EQ(choice.at("index").integer(), static_cast<std::int64_t>(i));
    EXPECT_EQ(choice.at("text").text(), answer);
    EXPECT_EQ(choice.at("finish_reason").text(), "stop");
    EXPECT_EQ(choice.at("token_ids").get<std::vector<std::int32_t>>(), text.tokenizer.encode(answer));
    EXPECT_EQ(choice.at("prompt_token_ids").dump(), "[5,6,7]");
    const Json& logprobs = choice.at("logprobs");
    EXPECT_EQ(logprobs.at("tokens").size(), choice.at("token_ids").size());
    EXPECT_EQ(logprobs.at("tokens").at(0).text(), "token_id:" + choice.at("token_ids").at(0).dump());
    EXPECT_EQ(logprobs.at("token_logprobs").at(0).real(), -1);
  }
  EXPECT_EQ(json.at("usage").at("prompt_tokens").integer(), 3);
  EXPECT_EQ(last.seed, 9U);
  EXPECT_EQ(last.sampling.temperature, 0.5);
  EXPECT_EQ(last.sampling.top_p, 0.9);
  EXPECT_EQ(last.sampling.top_k, 0);
  EXPECT_EQ(last.sampling.min_p, 0.1);
}

TEST_F(ScriptedModel, TextsStopsAndLengths) {
  const int port = start();
  const auto choices = [&](const std::string& body) {
    const Received got = ask(port, post("/v1/completions", body));
    EXPECT_EQ(got.status, 200) << got.body;
    return json_of(got).at("choices");
  };
  const Json two = choices(R"({"prompt":["a","b c d"],"max_tokens":50,"logprobs":null})");
  EXPECT_EQ(two.size(), 2U);
  EXPECT_TRUE(two.at(0).at("logprobs").is_null());
  EXPECT_FALSE(two.at(0).contains("token_ids"));
  EXPECT_EQ(choices(R"({"prompt":[[1],[2,3]],"max_tokens":50})").at(1).at("text").text(), "answer 0 to 2 tokens");
  EXPECT_EQ(choices(R"({"prompt":"a","max_tokens":50,"stop":" to"})").at(0).at("text").text(), "answer 0");
  EXPECT_EQ(choices(R"({"prompt":"a","max_tokens":50,"stop":["0","x"]})").at(0).at("text").text(), "answer ");
  EXPECT_EQ(choices(R"({"prompt":"a","max_tokens":1})").at(0).at("finish_reason").text(), "length");
}

TEST_F(ScriptedModel, AChatGoesThroughTheModelsTemplate) {
  const int port = start();
  const std::string body =
      R"({"messages":[{"role":"user","content":"hello"}],"logprobs":true,"return_token_ids":true})";
  const Json json = json_of(ask(port, post("/v1/chat/completions", body)));
  const Json& message = json.at("choices").at(0).at("message");
  EXPECT_EQ(message.at("role").text(), "assistant");
  EXPECT_EQ(message.at("content").text().substr(0, 8), "answer 0");
  EXPECT_EQ(json.at("choices").at(0).at("logprobs").at("content").at(0).at("logprob").real(), -1);
  EXPECT_EQ(text.tokenizer.decode(last.prompt), "<|im_start|>user\nhello<|im_end|>\n<|im_start|>assistant\n");
  EXPECT_EQ(last.sampling.stop_tokens, std::vector<std::int32_t>{*text.tokenizer.id_of(text::kTurnEnd)});
  const std::string parts = R"({"messages":[{"role":"user","content":[{"type":"text","text":"hel"},{"text":"lo"}]}]})";
  EXPECT_EQ(ask(port, post("/v1/chat/completions", parts)).status, 200);
  EXPECT_EQ(text.tokenizer.decode(last.prompt), "<|im_start|>user\nhello<|im_end|>\n<|im_start|>assistant\n");
}

TEST_F(ScriptedModel, WhatCannotBeServedIsNamed) {
  const int port = start();
  const struct {
    const char *path, *body;
    int status;
    const char* field;
  } cases[] = {
      {"/v1/completions", "{", 400, ""},
      {"/v1/completions", "[]", 400, ""},
      {"/v1/completions", "{}", 400, "prompt"},
      {"/v1/completions", R"({"prompt":3})", 400, "prompt"},
      {"/v1/completions", R"({"prompt":[]})", 400, ""},
      {"/v1/completions", R"({"prompt":""})", 400, ""},
      {"/v1/completions", R"({"prompt":[1,"a"]})", 400, "prompt"},
      {"/v1/completions", R"({"prompt":["a",[1.5]]})", 400, "prompt[1]"},
      {"/v1/completions", R"({"prompt":[99999999999]})", 400, "prompt"},
      {"/v1/completions", R"({"prompt":[1000000]})", 400, ""},
      {"/v1/completions", R"({"prompt":[-1]})", 400, ""},
      {"/v1/completions", R"({"prompt":"a","temperature":-1})", 400, ""},
      {"/v1/completions", R"({"prompt":"a","temperature":"hot"})", 400, "temperature"},
      {"/v1/completions", R"({"prompt":"a","top_p":0})", 400, ""},
      {"/v1/completions", R"({"prompt":"a","max_tokens":0})", 400, ""},
      {"/v1/completions", R"({"prompt":"a","n":0})", 400, "n"},
      {"/v1/completions", R"({"prompt":"a","n":1000000})", 400, "n"},
      {"/v1/completions", R"({"prompt":["a","b"],"n":65})", 400, "n"},
      {"/v1/completions", R"({"prompt":"a","stop":3})", 400, "stop"},
      {"/v1/completions", R"({"prompt":"a","stop":""})", 400, ""},
      {"/v1/completions", R"({"prompt":"a","logprobs":-1})", 400, "logprobs"},
      {"/v1/completions", R"({"prompt":"a","stream":"yes"})", 400, "stream"},
      {"/v1/completions", R"({"prompt":"a","model":"large"})", 404, "model"},
      {"/v1/chat/completions", R"({"prompt":"a"})", 400, "messages"},
      {"/v1/chat/completions", R"({"messages":[]})", 400, "messages"},
      {"/v1/chat/completions", R"({"messages":[1]})", 400, "messages[0].role"},
      {"/v1/chat/completions", R"({"messages":[{"role":"tool","content":"x"}]})", 400, "messages"},
      {"/v1/chat/completions", R"({"messages":[{"role":"user"}]})", 400, "messages[0].content"},
      {"/v1/chat/completions", R"({"messages":[{"role":"user","content":[{}]}]})", 400, "messages[0].content"},
  };
  for (const auto& one : cases) {
    const Received got = ask(port, post(one.path, one.body));
    EXPECT_EQ(got.status, one.status) << one.body << got.body;
    const Json field = json_of(got).at("error").at("field");
    EXPECT_EQ(field.is_null() ? "" : field.text(), one.field) << one.body << got.body;
  }
  EXPECT_EQ(asked, 0);
}

TEST_F(ScriptedModel, AnAnswerStreams) {
  const Received got =
      ask(start(), post("/v1/completions", R"({"prompt":"a","n":2,"max_tokens":50,"stream":true,"logprobs":0})"));
  EXPECT_EQ(got.header("content-type"), "text/event-stream");
  EXPECT_TRUE(got.body.ends_with("data: [DONE]\n\n"));
  std::string texts[2];
  int ends = 0;
  for (std::size_t at = 0; (at = got.body.find("data: {", at)) != std::string::npos; ++at) {
    const Json part = Json::parse(got.body.substr(at + 6, got.body.find("\n\n", at) - at - 6)).at("choices").at(0);
    texts[part.at("index").integer()] += part.at("text").text();
    ends += part.at("finish_reason").is_null() ? 0 : 1;
  }
  EXPECT_EQ(texts[0], "answer 0 to 1 tokens");
  EXPECT_EQ(texts[1], "answer 1 to 1 tokens");
  EXPECT_EQ(ends, 2);
}

TEST_F(ScriptedModel, ModelsAreListedAndNothingIsJudgedHere) {
  const int port = start();
  EXPECT_EQ(json_of(ask(port, get("/v1/models"))).at("data").at(0).at("id").text(), "small");
  EXPECT_EQ(ask(port, post("/v1/verify", "{}")).status, 404);
  const Json paths = json_of(ask(port, get("/openapi.json"))).at("paths");
  EXPECT_TRUE(paths.contains("/v1/completions"));
  EXPECT_FALSE(paths.contains("/v1/verify"));
}

TEST_F(ScriptedModel, NoMorePromptsWaitThanMay) {
  options.prompts = 2;
  blocked = true;
  const int port = start();
  const std::string body = post("/v1/completions", R"({"prompt":"a","max_tokens":50})");
  RawClient first(port), second(port), third(port);
  first.send(body);
  while (asked == 0) std::this_thread::sleep_for(1ms);
  second.send(body);
  third.send(body);
  while (ask(port, get("/metrics")).body.find("prompts_waiting 2") == std::string::npos) {
  }
  EXPECT_EQ(ask(port, body).status, 429);
  go_on = true;
  for (RawClient* client : {&first, &second, &third}) EXPECT_EQ(client->receive().status, 200);
}

TEST_F(ScriptedModel, AStopTellsWhoWaits) {
  blocked = true;
  const int port = start();
  const std::string body = post("/v1/completions", R"({"prompt":"a","max_tokens":50})");
  RawClient written(port), waiting(port);
  written.send(body);
  while (asked == 0) std::this_thread::sleep_for(1ms);
  waiting.send(body);
  while (ask(port, get("/metrics")).body.find("prompts_waiting 1") == std::string::npos) {
  }
  serving->stop();
  go_on = true;
  EXPECT_EQ(written.receive().status, 503);
  EXPECT_EQ(waiting.receive().status, 503);
}

}  // namespace
}  // namespace tritonrl::serve
