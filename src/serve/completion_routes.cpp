#include "serve/completion_routes.h"

#include <memory>

#include "serve/answers.h"
#include "serve/completion_answer.h"
#include "serve/openapi.h"

namespace tritonrl::serve {
namespace {

using base::Json;
using record::Sample;

constexpr int kRetrySeconds = 2;

std::string event(const Json& json) {
  return "data: " + json.dump() + "\n\n";
}

// Text as it is written, as events of the server.
void stream(PromptDesk::Work& work, const std::shared_ptr<CompletionRequest>& request, const ServedModel& model,
            const Call& call, Metrics& metrics) {
  const auto name = std::make_shared<CompletionName>(fresh_name(request->chat));
  const auto samples = static_cast<std::size_t>(request->prompts.front().samples);
  const auto begun = std::make_shared<bool>(false);
  const auto begin = [call, begun] {
    if (!std::exchange(*begun, true))
      call.begin({.body = {}, .type = "text/event-stream", .headers = {{"Cache-Control", "no-cache"}}});
  };
  work.on_text = [=, &model](std::size_t prompt, int index, std::string_view text) {
    begin();
    const std::size_t choice = prompt * samples + static_cast<std::size_t>(index);
    return call.write(event(completion_part(*name, *request, model, choice, text, nullptr)));
  };
  work.finished = [=, &model, &metrics](const std::vector<Sample>& answers, const std::string& problem) {
    if (!problem.empty() && !*begun) return call.answer(busy_answer(503, problem, kRetrySeconds));
    begin();
    for (std::size_t i = 0; i < answers.size(); ++i) {
      metrics.tokens(static_cast<std::int64_t>(answers[i].prompt.size()),
                     static_cast<std::int64_t>(answers[i].tokens.size()));
      call.write(event(completion_part(*name, *request, model, i, "", &answers[i])));
    }
    // one that broke off has no end
    if (!problem.empty()) return;
    call.write("data: [DONE]\n\n");
    call.end();
  };
}

void whole(PromptDesk::Work& work, const std::shared_ptr<CompletionRequest>& request, const ServedModel& model,
           const Call& call, Metrics& metrics) {
  work.finished = [=, &model, &metrics](const std::vector<Sample>& answers, const std::string& problem) {
    if (!problem.empty()) return call.answer(busy_answer(503, problem, kRetrySeconds));
    const Json json = completion_json(fresh_name(request->chat), *request, model, answers);
    metrics.tokens(json.at("usage").at("prompt_tokens").integer(), json.at("usage").at("completion_tokens").integer());
    call.answer(json_answer(json));
  };
}

void complete(const http::Request& http, bool chat, const ServedModel& model, PromptDesk& desk, Metrics& metrics,
              const Call& call) {
  CompletionParse parsed = parse_completion(http.body, chat, model);
  if (!parsed.request) return call.answer(error_answer(parsed.status, parsed.error));
  const auto request = std::make_shared<CompletionRequest>(*std::move(parsed.request));
  PromptDesk::Work work;
  work.prompts = request->prompts;
  work.abandoned = [call] { return call.gone(); };
  (request->stream ? stream : whole)(work, request, model, call, metrics);
  if (!desk.take(std::move(work)))
    call.answer(busy_answer(429, "too many requests wait for the model already", kRetrySeconds));
}

Json complete_operation(bool chat) {
  Json answers = object_of({{"200", answer_of("the answer, in OpenAI's form", "application/json", typed("object"))},
                            {"404", refusal("another model is served")},
                            {"429", refusal("too many wait already; Retry-After says when to ask again")}});
  answers["200"]["content"]["text/event-stream"]["schema"] = typed("string");
  Json out = operation(chat ? "Let the model answer a chat" : "Let the model go on with a prompt", answers);
  add_body(out, "application/json", reference(chat ? "ChatCompletion" : "Completion"));
  return out;
}

}  // namespace

std::vector<Route> completion_routes(const ServedModel& model, PromptDesk& desk, Metrics& metrics) {
  std::vector<Route> out;
  for (const bool chat : {false, true}) {
    out.push_back({.method = "POST",
                   .path = chat ? "/v1/chat/completions" : "/v1/completions",
                   .types = {"application/json"},
                   .operation = complete_operation(chat),
                   .handle = [chat, &model, &desk, &metrics](const auto& request, const auto&, const Call& call) {
                     complete(request, chat, model, desk, metrics, call);
                   }});
  }
  const Json list =
      operation("The model that is served", object_of({{"200", answer_of("it", "application/json", typed("object"))}}));
  out.push_back(
      {.method = "GET",
       .path = "/v1/models",
       .types = {},
       .operation = list,
       .handle = [&model](const auto&, const auto&, const Call& call) {
         Json one = object_of({{"id", model.name}, {"object", "model"}, {"max_model_len", model.limits.context}});
         call.answer(json_answer(object_of({{"object", "list"}, {"data", Json::array({std::move(one)})}})));
       }});
  return out;
}

Json completion_schemas() {
  Json out = Json::object();
  for (const bool chat : {false, true}) {
    Json one = schema_of<CompletionFields>(Use::kRead);
    one.erase("additionalProperties");
    one["required"] = Json::array({chat ? "messages" : "prompt"});
    out[chat ? "ChatCompletion" : "Completion"] = std::move(one);
  }
  return out;
}

}  // namespace tritonrl::serve
