#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/json.h"
#include "record/sample.h"
#include "serve/completion_request.h"

namespace tritonrl::serve {

// What stays the same in all parts of an answer.
struct CompletionName {
  std::string id;
  std::int64_t created = 0;  // seconds since 1970
};
CompletionName fresh_name(bool chat);

// The whole answer in OpenAI's form, with token ids as vLLM gives them where they were asked for. Log-probabilities are
// the model's own (temperature 1, no filters).
base::Json completion_json(const CompletionName& name, const CompletionRequest& request, const ServedModel& model,
                           std::span<const record::Sample> samples);

// One part of an answer that streams: text of one choice, or (with `finish`) its end.
base::Json completion_part(const CompletionName& name, const CompletionRequest& request, const ServedModel& model,
                           std::size_t choice, std::string_view text, const record::Sample* finish);

}  // namespace tritonrl::serve
