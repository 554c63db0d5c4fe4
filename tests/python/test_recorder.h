#pragma once

#include <string>

#include "python/recorder.h"

namespace tritonrl::python {

// Options of a recorder under test: the build's interpreter (or TRITONRL_PYTHON) and library, the best sandbox of this
// machine.
RecorderOptions test_recorder_options();

// One warm recorder for all tests of a program.
Recorder& test_recorder();

RecordRequest task_request(const std::string& source);
RecordRequest candidate_request(const std::string& task, const std::string& candidate);

// A task that any candidate can be recorded for: x of [8, 16] in, anything out.
extern const char* const kPlainTask;

}  // namespace tritonrl::python
