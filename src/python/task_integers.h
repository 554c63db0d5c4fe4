#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "record/task.h"

namespace tritonrl::python {

// An integer literal (>= 2) of a task that may be a size: in a module-level assignment, or in get_inputs and
// get_init_inputs with their default arguments. Subscripts, dim/axis/dims arguments, arguments of manual_seed and bools
// are none. Nor are constants that the model itself reads: a candidate has its own copies of them.
struct TaskInteger {
  std::int64_t value = 0;
  std::size_t begin = 0, end = 0;  // bytes of the literal in the source: record::with_integers
  std::string name;                // the module-level name it is assigned to, or ""
  int line = 0;                    // from 1
  bool operator==(const TaskInteger&) const = default;
};

// The reply of recorder/task_integers.py, held against the source. UserError naming file and line if the task does not
// parse; InfrastructureError if the reply does not fit the source.
std::vector<TaskInteger> task_integers_from_reply(const std::string& reply, const record::Task& task);

}  // namespace tritonrl::python
