#pragma once

#include <vector>

#include "serve/completion_request.h"
#include "serve/metrics.h"
#include "serve/prompt_desk.h"
#include "serve/route.h"

namespace tritonrl::serve {

// /v1/completions, /v1/chat/completions and /v1/models. All must outlive them.
std::vector<Route> completion_routes(const ServedModel& model, PromptDesk& desk, Metrics& metrics);

// What they take, by name: "Completion", "ChatCompletion".
base::Json completion_schemas();

}  // namespace tritonrl::serve
