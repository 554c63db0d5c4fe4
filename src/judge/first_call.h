#pragma once

#include <string>
#include <vector>

#include "judge/size_search.h"
#include "python/recorder.h"
#include "record/task.h"

namespace tritonrl::judge {

// Other sizes at which a module of size `at` may be called: `other` as a whole, then `at` with one of its constants as
// it is there, since constants of the constructor must stay.
std::vector<Resizing> other_calls(const Resizing& at, const Resizing& other);

// Whether the inputs of its first forward are of other shapes than those of the second.
bool first_call_differs(const program::Program& program);

// The source of the first of `others` whose inputs the reference takes where it is made as `reference.task` says, if
// any of them has another shape; empty: it takes none of them. What a candidate keeps of its first call (shapes, a
// grid, a buffer) then meets other inputs.
std::string first_call(python::Recorder& recorder, python::RecordRequest reference,
                       const std::vector<record::Task>& others);

}  // namespace tritonrl::judge
