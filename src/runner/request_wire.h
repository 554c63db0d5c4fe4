#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "program/program.h"
#include "runner/message.h"
#include "runner/run_request.h"

namespace tritonrl::runner {

// The request's message. `text` gets the program as JSON; the message's blobs point into it and into the request. What
// the request shares with `previous`, the one before it in the same stream, is left out: the program if it is the same
// object, images if they are equal. Null: it is the first.
MessageView to_message(const RunRequest& request, const RunRequest* previous, std::string* text);

// Reads the requests of one stream.
class RequestReader {
 public:
  // Reads and validates: places, images and tensors that the request names exist, and contents are as long as their
  // tensors. What it gives is valid until the next call. After a Failure the next request must be a whole one.
  base::Result<const RunRequest*> next(Message message);

 private:
  std::unique_ptr<program::Program> program_;  // of the last request; null: there is none
  RunRequest request_;
};

// The first thing wrong with a request, or nothing.
std::optional<std::string> find_fault(const RunRequest& request);

// The steps of a section; null if there is no such section.
const std::vector<program::Step>* steps_of(const program::Program& program, Section section, int forward);

}  // namespace tritonrl::runner
