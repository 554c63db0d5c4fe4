#pragma once

#include <string>

#include "program/target.h"
#include "python/recorder.h"
#include "record/task.h"

namespace tritonrl::optimize {

// Whether the candidate's parameters and buffers have the names, shapes and types of the module's, so that it takes the
// module's state dict as it is. Empty: it does; else what differs, for a person.
std::string other_state(const record::Task& task, const std::string& candidate, python::Recorder& recorder,
                        const program::Target& target);

}  // namespace tritonrl::optimize
