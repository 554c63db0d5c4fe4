#pragma once

#include <string>

#include "base/json.h"
#include "http/message.h"
#include "serve/candidate.h"

namespace tritonrl::serve {

// {"error": {"field", "message"}}: the form of every refusal. `id` is JSON; empty: there is none.
http::Answer error_answer(int status, const CandidateError& error, const std::string& id = {});
// A refusal that may be gone in so many seconds.
http::Answer busy_answer(int status, const std::string& message, int seconds);
http::Answer json_answer(const base::Json& json, int status = 200);

}  // namespace tritonrl::serve
