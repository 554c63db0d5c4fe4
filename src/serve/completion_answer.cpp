#include "serve/completion_answer.h"

#include <algorithm>
#include <chrono>
#include <random>

namespace tritonrl::serve {
namespace {

using base::Json;
using record::FinishReason;
using record::Sample;

const char* finish_reason(const Sample& sample) {
  switch (sample.finish) {
    case FinishReason::kStopToken:
    case FinishReason::kStopString:
      return "stop";
    case FinishReason::kLength:
      return "length";
    case FinishReason::kCancelled:
      return "abort";
  }
  return "abort";
}

// The stop string that ended it: what was sampled goes on with it where the text ends.
std::string stop_of(const Sample& sample, const CompletionRequest& request, const ServedModel& model) {
  const std::string all = model.text->tokenizer.decode(sample.tokens, /*skip_special=*/true);
  const std::string_view rest = std::string_view(all).substr(std::min(sample.text.size(), all.size()));
  for (const std::string& stop : request.prompts.front().sampling.stop_strings) {
    if (rest.starts_with(stop)) return stop;
  }
  return "";
}

std::string shown(std::int32_t token, const CompletionRequest& request, const ServedModel& model) {
  if (request.tokens_as_ids) return "token_id:" + std::to_string(token);
  return model.text->tokenizer.decode({&token, 1});
}

Json logprobs_of(const Sample& sample, const CompletionRequest& request, const ServedModel& model) {
  Json out = Json::object();
  if (request.chat) {
    Json content = Json::array();
    for (std::size_t i = 0; i < sample.tokens.size(); ++i) {
      Json one = Json::object();
      one["token"] = shown(sample.tokens[i], request, model);
      one["logprob"] = sample.log_probabilities[i];
      one["top_logprobs"] = Json::array();
      content.push_back(std::move(one));
    }
    out["content"] = std::move(content);
    return out;
  }
  Json tokens = Json::array();
  for (const std::int32_t token : sample.tokens) tokens.push_back(shown(token, request, model));
  out["tokens"] = std::move(tokens);
  out["token_logprobs"] = sample.log_probabilities;
  out["top_logprobs"] = Json();
  return out;
}

Json choice_of(std::size_t index, const Sample& sample, const CompletionRequest& request, const ServedModel& model) {
  Json out = Json::object();
  out["index"] = index;
  if (request.chat) {
    out["message"] = Json::object();
    out["message"]["role"] = "assistant";
    out["message"]["content"] = sample.text;
  } else {
    out["text"] = sample.text;
  }
  const bool has = sample.log_probabilities.size() == sample.tokens.size();
  out["logprobs"] = request.logprobs && has ? logprobs_of(sample, request, model) : Json();
  out["finish_reason"] = finish_reason(sample);
  if (sample.finish == FinishReason::kStopString) out["stop_reason"] = stop_of(sample, request, model);
  if (request.token_ids) out["token_ids"] = sample.tokens;
  if (request.token_ids && !request.chat) out["prompt_token_ids"] = sample.prompt;
  return out;
}

Json head(const CompletionName& name, const char* object, const ServedModel& model) {
  Json out = Json::object();
  out["id"] = name.id;
  out["object"] = object;
  out["created"] = name.created;
  out["model"] = model.name;
  return out;
}

}  // namespace

CompletionName fresh_name(bool chat) {
  std::random_device random;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return {(chat ? "chatcmpl-" : "cmpl-") + std::to_string(random()) + std::to_string(random()),
          std::chrono::duration_cast<std::chrono::seconds>(now).count()};
}

Json completion_json(const CompletionName& name, const CompletionRequest& request, const ServedModel& model,
                     std::span<const Sample> samples) {
  Json out = head(name, request.chat ? "chat.completion" : "text_completion", model);
  Json choices = Json::array();
  std::size_t prompt_tokens = 0, answer_tokens = 0;
  for (const Sample& sample : samples) {
    if (sample.index == 0) prompt_tokens += sample.prompt.size();
    answer_tokens += sample.tokens.size();
    choices.push_back(choice_of(choices.size(), sample, request, model));
  }
  out["choices"] = std::move(choices);
  if (request.chat && request.token_ids) out["prompt_token_ids"] = samples.front().prompt;
  out["usage"] = Json::object();
  out["usage"]["prompt_tokens"] = prompt_tokens;
  out["usage"]["completion_tokens"] = answer_tokens;
  out["usage"]["total_tokens"] = prompt_tokens + answer_tokens;
  return out;
}

Json completion_part(const CompletionName& name, const CompletionRequest& request, const ServedModel& model,
                     std::size_t choice, std::string_view text, const Sample* finish) {
  Json out = head(name, request.chat ? "chat.completion.chunk" : "text_completion", model);
  Json one = Json::object();
  one["index"] = choice;
  if (request.chat) {
    one["delta"] = Json::object();
    if (finish == nullptr) one["delta"]["content"] = text;
  } else {
    one["text"] = text;
  }
  one["logprobs"] = finish != nullptr && request.logprobs ? logprobs_of(*finish, request, model) : Json();
  one["finish_reason"] = finish == nullptr ? Json() : Json(finish_reason(*finish));
  if (finish != nullptr && request.token_ids) one["token_ids"] = finish->tokens;
  out["choices"] = Json::array();
  out["choices"].push_back(std::move(one));
  return out;
}

}  // namespace tritonrl::serve
