#pragma once

#include "base/json.h"
#include "base/result.h"
#include "runner/message.h"
#include "runner/run_outcome.h"
#include "runner/run_request.h"

namespace tritonrl::runner {

// The outcome's message; its blobs point into the outcome.
MessageView to_message(const RunOutcome& outcome);

// Reads what an untrusted process answered to `request`: tensors have the types and sizes of the program's own.
base::Result<RunOutcome> outcome_from_message(Message message, const RunRequest& request);

// The real answer to a question: nothing, a number, or a flat list of them. JsonError for anything else.
base::Json answer_to_json(const program::Value& answer);
program::Value answer_from_json(const base::Json& json);

}  // namespace tritonrl::runner
