#pragma once

#include <cstdint>
#include <string>

#include "python/recorder.h"

namespace tritonrl::python {

// The names of the files inside the sandbox.
inline constexpr const char* kTaskFile = "task.py";
inline constexpr const char* kCandidateFile = "candidate.py";

struct RequestExtras {
  bool check_source = false;  // send a report of the candidate's text first
  bool trace = false;         // tell the values of expressions instead of the program
  bool try_inputs = false;    // find constructor arguments and inputs of the entry point
  bool larger = false;        // these as large as people's
  std::int64_t limit_ms = 0;  // end the process if this request takes longer; 0: the policy's limit is enough
};

// A request as recorder/session.py reads it. Bytes that are no UTF-8 are replaced.
std::string to_json(const RecordRequest& request, const RequestExtras& extras);

}  // namespace tritonrl::python
