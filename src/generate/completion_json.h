#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "generate/generator.h"
#include "text/tokenizer/tokenizer.h"

namespace tritonrl::generate {

// The body of /v1/completions that asks for a request's samples. Greedy samples are all the same: one is asked for.
base::Json completion_body(const GenerateRequest& request, const std::string& model);

// The samples of the request that a server's answer holds, without adapter_version; all of them, in order. A failure
// where it is none, or has other samples than were asked for.
base::Result<std::vector<record::Sample>> samples_of(std::string_view answer, const GenerateRequest& request,
                                                     const text::Tokenizer& tokenizer);

}  // namespace tritonrl::generate
