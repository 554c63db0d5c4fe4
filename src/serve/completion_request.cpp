#include "serve/completion_request.h"

#include <random>

#include "base/error.h"
#include "text/chat_template.h"

namespace tritonrl::serve {
namespace {

using base::Json;

constexpr int kMostSamples = 128;   // of all prompts together
constexpr int kDefaultTokens = 16;  // of a completion, as OpenAI has it

// Thrown and caught in this file only.
struct Refusal {
  CandidateError error;
  int status = 400;
};

bool is_text_list(const Json& json) {
  if (!json.is_array()) return false;
  for (const Json& one : json) {
    if (!one.is_string()) return false;
  }
  return true;
}

std::vector<std::int32_t> token_ids(const Json& json, const std::string& field) {
  std::vector<std::int32_t> out;
  out.reserve(json.size());
  for (const Json& one : json) {
    if (!one.is_number_integer()) throw Refusal{{field, "is neither a text nor a list of token ids"}};
    try {
      out.push_back(one.get<std::int32_t>());
    } catch (const base::JsonError&) {
      throw Refusal{{field, "holds a number that is no token"}};
    }
  }
  return out;
}

std::vector<std::int32_t> one_prompt(const Json& json, const text::ModelText& model, const std::string& field) {
  if (json.is_string()) return model.tokenizer.encode_from_start(json.text());
  if (json.is_array()) return token_ids(json, field);
  throw Refusal{{field, "is neither a text nor a list of token ids"}};
}

std::vector<std::vector<std::int32_t>> prompts_of(const Json& json, const text::ModelText& model) {
  if (json.is_null()) throw Refusal{{"prompt", "is missing"}};
  const bool many = json.is_array() && json.size() > 0 && !json.front().is_number();
  if (!many) return {one_prompt(json, model, "prompt")};
  if (json.size() > kMostSamples) throw Refusal{{"prompt", "are too many"}, 413};
  std::vector<std::vector<std::int32_t>> out;
  for (const Json& one : json) out.push_back(one_prompt(one, model, "prompt[" + std::to_string(out.size()) + "]"));
  return out;
}

// A text, or parts of which all are texts.
std::string content_of(const Json& message, const std::string& field) {
  const Json* content = message.find("content");
  if (content != nullptr && content->is_string()) return content->text();
  if (content == nullptr || !content->is_array()) throw Refusal{{field + ".content", "is no text"}};
  std::string out;
  for (const Json& part : *content) {
    const Json* text = part.find("text");
    if (text == nullptr || !text->is_string()) throw Refusal{{field + ".content", "has a part that is no text"}};
    out += text->text();
  }
  return out;
}

std::vector<std::int32_t> chat_prompt(const Json& json, const text::ModelText& model) {
  if (!json.is_array() || json.empty()) throw Refusal{{"messages", "is no list of messages"}};
  std::vector<text::ChatMessage> messages;
  for (const Json& one : json) {
    const std::string field = "messages[" + std::to_string(messages.size()) + "]";
    const Json* role = one.find("role");
    if (role == nullptr || !role->is_string()) throw Refusal{{field + ".role", "is missing"}};
    messages.push_back({role->text(), content_of(one, field)});
  }
  if (!model.dialect) throw Refusal{{"messages", "the model's chat template is not known here; use /v1/completions"}};
  try {
    return model.tokenizer.encode(render_chat(*model.dialect, messages));
  } catch (const base::UserError& error) {
    throw Refusal{{"messages", error.what()}};
  }
}

std::vector<std::string> stops_of(const Json& json) {
  if (json.is_null()) return {};
  if (json.is_string()) return {json.text()};
  if (!is_text_list(json)) throw Refusal{{"stop", "is neither a text nor a list of texts"}};
  return json.get<std::vector<std::string>>();
}

// Whether log-probabilities are wanted. Those of other tokens than the drawn ones are not there.
bool wants_logprobs(const Json& json, bool chat) {
  if (json.is_null()) return false;
  if (json.is_boolean() && (chat || !json.boolean())) return json.boolean();
  if (json.is_number_integer() && !chat && json.integer() >= 0) return true;
  throw Refusal{{"logprobs", chat ? "is neither true nor false" : "is no whole number of 0 or more"}};
}

generate::SamplingOptions sampling_of(const CompletionFields& fields, bool chat) {
  generate::SamplingOptions out;
  out.temperature = fields.temperature.value_or(1);
  out.top_p = fields.top_p.value_or(1);
  out.min_p = fields.min_p.value_or(0);
  out.top_k = std::max(0, fields.top_k.value_or(0));  // vLLM's -1 is off
  out.repetition_penalty = fields.repetition_penalty.value_or(1);
  const std::optional<int> most = fields.max_completion_tokens ? fields.max_completion_tokens : fields.max_tokens;
  out.max_new_tokens = most.value_or(chat ? out.max_new_tokens : kDefaultTokens);
  out.stop_strings = stops_of(fields.stop);
  out.stop_tokens = fields.stop_token_ids;
  out.ignore_stop_tokens = fields.ignore_eos;
  return out;
}

CompletionRequest request_of(const CompletionFields& fields, bool chat, const ServedModel& model) {
  if (!fields.model.empty() && fields.model != model.name)
    throw Refusal{{"model", "there is no such model; " + model.name + " is served"}, 404};
  CompletionRequest out{.chat = chat,
                        .stream = fields.stream,
                        .logprobs = wants_logprobs(fields.logprobs, chat),
                        .token_ids = fields.return_token_ids,
                        .tokens_as_ids = fields.return_tokens_as_token_ids};
  generate::GenerateRequest request;
  request.samples = fields.n.value_or(1);
  request.seed = fields.seed ? static_cast<std::uint64_t>(*fields.seed)
                             : (std::uint64_t{std::random_device()()} << 32) | std::random_device()();
  request.sampling = sampling_of(fields, chat);
  std::vector<std::vector<std::int32_t>> prompts;
  if (chat) {
    prompts.push_back(chat_prompt(fields.messages, *model.text));
    if (const auto end = model.text->tokenizer.id_of(text::kTurnEnd)) request.sampling.stop_tokens.push_back(*end);
  } else {
    prompts = prompts_of(fields.prompt, *model.text);
  }
  if (request.samples < 1 || request.samples > kMostSamples / static_cast<int>(prompts.size()))
    throw Refusal{{"n", "is " + std::to_string(request.samples) + "; a request may have " +
                            std::to_string(kMostSamples) + " answers in all"}};
  for (std::vector<std::int32_t>& prompt : prompts) {
    request.prompt = std::move(prompt);
    check(request, model.limits);
    out.prompts.push_back(request);
  }
  return out;
}

}  // namespace

void CompletionFields::fields(base::FieldVisitor& field) {
  using base::kMayLack;
  field("model", model, kMayLack);
  field("prompt", prompt, kMayLack);
  field("messages", messages, kMayLack);
  field("max_tokens", max_tokens, kMayLack);
  field("max_completion_tokens", max_completion_tokens, kMayLack);
  field("temperature", temperature, kMayLack);
  field("top_p", top_p, kMayLack);
  field("min_p", min_p, kMayLack);
  field("repetition_penalty", repetition_penalty, kMayLack);
  field("top_k", top_k, kMayLack);
  field("n", n, kMayLack);
  field("seed", seed, kMayLack);
  field("stop", stop, kMayLack);
  field("stop_token_ids", stop_token_ids, kMayLack);
  field("ignore_eos", ignore_eos, kMayLack);
  field("logprobs", logprobs, kMayLack);
  field("stream", stream, kMayLack);
  field("return_token_ids", return_token_ids, kMayLack);
  field("return_tokens_as_token_ids", return_tokens_as_token_ids, kMayLack);
}

CompletionParse parse_completion(const std::string& body, bool chat, const ServedModel& model) {
  std::optional<Json> json = Json::try_parse(body);
  if (!json) return {std::nullopt, {"", "is not JSON"}};
  if (!json->is_object()) return {std::nullopt, {"", "is not a JSON object"}};
  // null is what clients send for what they do not say
  std::erase_if(json->items(), [](const Json::Member& member) { return member.value.is_null(); });
  try {
    CompletionFields fields;
    base::read_fields(*json, fields);
    return {request_of(fields, chat, model), {}};
  } catch (const Refusal& refusal) {
    return {std::nullopt, refusal.error, refusal.status};
  } catch (const base::FieldError& error) {
    const std::string what = error.what();
    const std::size_t blank = what.find(' ');
    return {std::nullopt, {what.substr(0, blank), what.substr(blank + 1)}};
  } catch (const base::UserError& error) {
    return {std::nullopt, {"", error.what()}};
  }
}

}  // namespace tritonrl::serve
