#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/fields.h"
#include "generate/generator.h"
#include "generate/request_check.h"
#include "serve/candidate.h"
#include "text/model_text.h"

namespace tritonrl::serve {

// A model that can be asked over HTTP.
struct ServedModel {
  generate::Generator* generator = nullptr;  // none: there is no model
  const text::ModelText* text = nullptr;
  std::string name;
  generate::RequestLimits limits;
};

// The body of /v1/completions and /v1/chat/completions in OpenAI's form, with what vLLM adds to it. Other fields are
// not looked at.
struct CompletionFields {
  std::string model;
  base::Json prompt;    // a text, token ids, or a list of either
  base::Json messages;  // of a chat
  std::optional<int> max_tokens, max_completion_tokens;
  std::optional<double> temperature, top_p, min_p, repetition_penalty;
  std::optional<int> top_k, n;
  std::optional<std::int64_t> seed;
  base::Json stop;  // a text or a list of them
  std::vector<std::int32_t> stop_token_ids;
  bool ignore_eos = false;
  base::Json logprobs;  // a number, or true in a chat
  bool stream = false;
  bool return_token_ids = false, return_tokens_as_token_ids = false;
  void fields(base::FieldVisitor& field);
};

// One request over HTTP: several prompts, each with its samples.
struct CompletionRequest {
  bool chat = false, stream = false, logprobs = false, token_ids = false, tokens_as_ids = false;
  std::vector<generate::GenerateRequest> prompts;
};

// What is wrong with it instead, where it cannot be served.
struct CompletionParse {
  std::optional<CompletionRequest> request;
  CandidateError error;
  int status = 400;
};
CompletionParse parse_completion(const std::string& body, bool chat, const ServedModel& model);

}  // namespace tritonrl::serve
