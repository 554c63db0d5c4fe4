#pragma once

#include "base/json.h"

namespace tritonrl::serve {

// What the judge's routes take and give, by name: "Candidate", "Verdict", "Result", "Job". `named_tasks`: a task may be
// a name.
base::Json judge_schemas(bool named_tasks);

}  // namespace tritonrl::serve
