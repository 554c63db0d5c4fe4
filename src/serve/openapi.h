#pragma once

#include <span>
#include <string>

#include "base/json.h"
#include "serve/json_schema.h"
#include "serve/route.h"

namespace tritonrl::serve {

// The description of a service with these routes, as OpenAPI 3.1 has it. `schemas`: what routes refer to.
base::Json openapi_of(std::span<const Route> routes, base::Json schemas, bool needs_token, const std::string& version);

// Pieces of it.
base::Json operation(const std::string& summary, const base::Json& answers);
void add_body(base::Json& operation, const std::string& type, const base::Json& schema);
// Statuses with what they mean; those of refusals have the schema of every refusal.
base::Json answer_of(const std::string& description, const std::string& type, const base::Json& schema);
base::Json refusal(const std::string& description);

}  // namespace tritonrl::serve
