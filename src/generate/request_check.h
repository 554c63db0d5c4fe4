#pragma once

#include <cstdint>
#include <limits>

#include "generate/generator.h"

namespace tritonrl::generate {

// What a generator can serve.
struct RequestLimits {
  std::int64_t vocabulary = std::numeric_limits<std::int32_t>::max();  // token ids are below it
  std::int64_t context = std::numeric_limits<std::int64_t>::max();     // tokens of prompt and answer together
};

// UserError names the request, the field and its range. A prompt must leave room for one token of an answer.
void check(const GenerateRequest& request, const RequestLimits& limits);

}  // namespace tritonrl::generate
