#pragma once

#include <string>

#include "base/result.h"
#include "program/program.h"
#include "runner/message.h"
#include "runner/run_request.h"

namespace tritonrl::runner {

// The request's message. `text` gets the program as JSON; the message's blobs point into it and into the request.
MessageView to_message(const RunRequest& request, std::string* text);

// A request with the program that it points to.
struct ReceivedRequest {
  program::Program program;
  RunRequest request;
};

// Reads and validates: places, images and tensors that the request names exist, and contents are as long as their
// tensors.
base::Result<std::unique_ptr<ReceivedRequest>> request_from_message(Message message);

// The first thing wrong with a request, or nothing.
std::optional<std::string> find_fault(const RunRequest& request);

// The steps of a section; null if there is no such section.
const std::vector<program::Step>* steps_of(const program::Program& program, Section section, int forward);

}  // namespace tritonrl::runner
