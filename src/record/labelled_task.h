#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "record/task.h"

namespace tritonrl::base {
class FieldVisitor;
}

namespace tritonrl::record {

// One line of difficulty_labels.jsonl: a task, how hard it is and why.
struct LabelledTask {
  std::string id;
  std::string pytorch_code;
  int difficulty = 1;            // 1, 2 or 3
  std::vector<std::string> why;  // what was counted, then the rule that decided
  std::string entry_point;       // the task's class; empty: `Model`
  std::string split;             // "train", "validation" or "test"
  std::string source;            // as TrainingPair's
  std::string labelled_by;       // "program" (it was recorded) or "text"
  bool runnable = true;          // it defines get_inputs and, where it was tried, records: kernels for it can be judged
  int own_level = 0;             // the benchmark's own level; 0: it has none
  std::string degenerate;        // why its output cannot be trusted as a test; empty: nothing is known
  void fields(base::FieldVisitor& field);
  bool operator==(const LabelledTask&) const = default;

  Task task() const { return {.id = id, .source = pytorch_code, .entry_point = entry_point}; }
};

std::string to_json(const LabelledTask& task);
// Lines of other programs may lack everything but id, pytorch_code and difficulty.
base::Result<LabelledTask> labelled_task_from_json(std::string_view text);

}  // namespace tritonrl::record
