#include "generate/completion_json.h"

#include <charconv>
#include <limits>

#include "generate/draws.h"

namespace tritonrl::generate {
namespace {

using base::Failure;
using base::Json;
using record::FinishReason;
using record::Sample;

constexpr std::string_view kTokenMark = "token_id:";

bool is_greedy(const GenerateRequest& request) {
  return request.sampling.temperature == 0;
}

// Token ids, if the value is a list of them that this tokenizer knows.
std::optional<std::vector<std::int32_t>> ids_of(const Json* json) {
  if (json == nullptr || !json->is_array()) return std::nullopt;
  std::vector<std::int32_t> out;
  for (const Json& one : *json) {
    if (!one.is_number_integer() || one.real() < 0 || one.real() > std::numeric_limits<std::int32_t>::max())
      return std::nullopt;
    out.push_back(one.get<std::int32_t>());
  }
  return out;
}

// The same, written as texts.
std::optional<std::vector<std::int32_t>> marked_ids_of(const Json* json) {
  if (json == nullptr || !json->is_array()) return std::nullopt;
  std::vector<std::int32_t> out;
  for (const Json& one : *json) {
    if (!one.is_string() || !one.text().starts_with(kTokenMark)) return std::nullopt;
    const std::string_view digits = std::string_view(one.text()).substr(kTokenMark.size());
    std::int32_t id = -1;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), id);
    if (error != std::errc() || end != digits.data() + digits.size() || id < 0) return std::nullopt;
    out.push_back(id);
  }
  return out;
}

// One for each token, or none at all.
std::vector<float> log_probabilities_of(const Json* json, std::size_t tokens) {
  if (json == nullptr || !json->is_array() || json->size() != tokens) return {};
  std::vector<float> out;
  for (const Json& one : *json) {
    if (!one.is_number()) return {};
    out.push_back(static_cast<float>(one.real()));
  }
  return out;
}

FinishReason finish_of(const Json& choice) {
  const Json *reason = choice.find("finish_reason"), *stop = choice.find("stop_reason");
  const std::string text = reason != nullptr && reason->is_string() ? reason->text() : "";
  if (text == "length") return FinishReason::kLength;
  if (text != "stop") return FinishReason::kCancelled;
  return stop != nullptr && stop->is_string() ? FinishReason::kStopString : FinishReason::kStopToken;
}

Sample sample_of(const Json& choice, const GenerateRequest& request, const text::Tokenizer& tokenizer) {
  Sample out;
  out.id = request.id;
  out.prompt = request.prompt;
  out.text = choice.at("text").text();
  out.finish = finish_of(choice);
  const Json* logprobs = choice.find("logprobs");
  const Json* marked = logprobs == nullptr ? nullptr : logprobs->find("tokens");
  std::optional<std::vector<std::int32_t>> ids = ids_of(choice.find("token_ids"));
  if (!ids) ids = marked_ids_of(marked);
  if (ids) {
    out.tokens = *std::move(ids);
    out.log_probabilities =
        log_probabilities_of(logprobs == nullptr ? nullptr : logprobs->find("token_logprobs"), out.tokens.size());
  } else {
    out.tokens = tokenizer.encode_ordinary(out.text);
  }
  return out;
}

}  // namespace

Json completion_body(const GenerateRequest& request, const std::string& model) {
  const SamplingOptions& sampling = request.sampling;
  Json out = Json::object();
  out["model"] = model;
  out["prompt"] = request.prompt;
  out["n"] = is_greedy(request) ? 1 : request.samples;
  out["max_tokens"] = sampling.max_new_tokens;
  out["temperature"] = sampling.temperature;
  out["top_p"] = sampling.top_p;
  // a signed number everywhere else
  out["seed"] = static_cast<std::int64_t>(request.seed & std::numeric_limits<std::int64_t>::max());
  out["logprobs"] = 0;  // of the drawn tokens alone
  out["return_token_ids"] = true;
  out["return_tokens_as_token_ids"] = true;
  if (sampling.top_k > 0) out["top_k"] = sampling.top_k;
  if (sampling.min_p > 0) out["min_p"] = sampling.min_p;
  if (sampling.repetition_penalty != 1) out["repetition_penalty"] = sampling.repetition_penalty;
  if (!sampling.stop_strings.empty()) out["stop"] = sampling.stop_strings;
  if (!sampling.stop_tokens.empty()) out["stop_token_ids"] = sampling.stop_tokens;
  if (sampling.ignore_stop_tokens) out["ignore_eos"] = true;
  return out;
}

base::Result<std::vector<Sample>> samples_of(std::string_view answer, const GenerateRequest& request,
                                             const text::Tokenizer& tokenizer) {
  const std::optional<Json> json = Json::try_parse(answer);
  const Json* choices = json ? json->find("choices") : nullptr;
  if (choices == nullptr || !choices->is_array()) return Failure{"its answer is no completion"};
  const std::size_t asked = is_greedy(request) ? 1 : static_cast<std::size_t>(request.samples);
  std::vector<std::optional<Sample>> found(asked);
  for (const Json& choice : *choices) {
    const Json *index = choice.find("index"), *text = choice.find("text");
    const bool good = index != nullptr && index->is_number_integer() && text != nullptr && text->is_string();
    if (!good) return Failure{"a choice of its answer has no index or no text"};
    if (index->real() < 0 || index->real() >= static_cast<double>(asked))
      return Failure{"its answer has a choice too many"};
    found[static_cast<std::size_t>(index->integer())] = sample_of(choice, request, tokenizer);
  }
  std::vector<Sample> out;
  for (int i = 0; i < request.samples; ++i) {
    const std::optional<Sample>& one = found[is_greedy(request) ? 0 : static_cast<std::size_t>(i)];
    if (!one) return Failure{"its answer lacks a choice"};
    out.push_back(*one);
    out.back().index = i;
    out.back().seed = sample_seed(request.seed, i);
  }
  return out;
}

}  // namespace tritonrl::generate
