#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/fields.h"
#include "data/prepare/split.h"
#include "data/prepare/teacher_options.h"
#include "record/task.h"

namespace tritonrl::evaluate {

inline constexpr const char* kLevels[] = {"1", "2", "3", "4"};
inline constexpr const char* kSplitChoices[] = {"train", "validation", "test", "all"};

// Which tasks are asked.
struct TaskOptions {
  std::string source = {};            // a checkout of KernelBench, a folder of tasks or a file of rows, prepared data
  data::TeacherOptions teacher = {};  // generated ones instead
  std::vector<std::string> levels = {};  // only these; empty: all
  std::string split = "test";            // of prepared and generated tasks
  data::SplitOptions division = {};      // that `prepare` made it by
  std::int64_t num_tasks = 0;            // so many, drawn by the seed; 0: all
  std::uint64_t seed = 0;

  // `seed` is set by whoever has options of its own for it.
  void fields(base::FieldVisitor& field) {
    field(
        "source", source,
        {.help = "tasks to solve: a checkout of KernelBench or one of its levels, a folder of modules, a file of rows, "
                 "or what `prepare` wrote (its folder or difficulty_labels.jsonl)",
         .option = "tasks"});
    field("teacher", teacher);
    field("levels", levels,
          {.help = "only tasks of these levels, separated by commas (default: all)", .choices = kLevels});
    field("split", split,
          {.help = "of prepared and generated tasks: the part that `prepare` gives them to", .choices = kSplitChoices});
    field("split_seed", division.seed, {.help = "of `prepare`'s division"});
    field("num_tasks", num_tasks, {.help = "so many of them, drawn by the seed (0: all)", .least = 0});
    field("seed", seed, {.settable = false});
  }
};

struct EvaluationTask {
  record::Task task;
  int level = 0;           // the benchmark's own, or as `prepare` labels; 0: not known
  std::string degenerate;  // why right answers to it prove little (data/tasks/kernelbench.h); empty: they do
};

// In the order of the source. UserError if there are none, the source holds what is no task, or two share an id.
std::vector<EvaluationTask> read_tasks(const TaskOptions& options);

// Another hash, other tasks.
std::string tasks_hash(std::span<const EvaluationTask> tasks);

}  // namespace tritonrl::evaluate
