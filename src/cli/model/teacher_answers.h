#pragma once

#include <span>

#include "cli/machine.h"
#include "evaluate/answers.h"
#include "evaluate/evaluate.h"
#include "evaluate/task_set.h"

namespace tritonrl::cli {

// `--model teacher`: the answers are those of the small compiler that wrote the training data (docs/teacher.md).
inline constexpr const char* kTeacher = "teacher";

// Its solutions of the tasks: the first, and the greedy answer, in the form for the task's own sizes, further samples
// in other forms, and from the first on again where there are no more. Tasks that it has nothing for have none.
evaluate::Answers teacher_answers(std::span<const evaluate::EvaluationTask> tasks,
                                  const evaluate::EvaluateOptions& options, bool strict, const MachineOptions& machine,
                                  const std::string& target);

}  // namespace tritonrl::cli
