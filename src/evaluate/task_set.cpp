#include "evaluate/task_set.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>

#include "abstract/difficulty.h"
#include "base/error.h"
#include "base/files.h"
#include "base/hash64.h"
#include "base/sha256.h"
#include "data/prepare/example_reader.h"
#include "data/prepare/generated_examples.h"
#include "data/tasks/kernelbench.h"
#include "record/data_folder.h"
#include "record/labelled_task.h"
#include "syntax/parse.h"

namespace tritonrl::evaluate {
namespace {

namespace fs = std::filesystem;

bool is_wanted(const TaskOptions& options, int level) {
  return options.levels.empty() ||
         std::find(options.levels.begin(), options.levels.end(), std::to_string(level)) != options.levels.end();
}

// By its text, where nobody labelled it.
int level_of(const std::string& source, const std::string& entry_point) {
  syntax::SyntaxArena arena;
  const syntax::Parsed parsed = syntax::parse(source, arena);
  if (parsed.module == nullptr) return 0;
  const abstract::ForwardOperators forward = abstract::forward_operators(*parsed.module, entry_point);
  return forward.entry_point.empty() ? 0 : abstract::difficulty_of(forward, source).level;
}

// What holds at a looser tolerance than the judge's is no reason.
std::string degenerate_at_fp32(const std::string& reason) {
  return data::is_degenerate(reason) ? reason : std::string();
}

EvaluationTask task_of(data::Example&& example) {
  EvaluationTask out;
  out.task = {
      .id = std::move(example.id), .source = std::move(example.pytorch_code), .entry_point = example.entry_point};
  out.level = example.own_level > 0 ? example.own_level
              : example.level > 0   ? example.level
                                    : level_of(out.task.source, out.task.entry_point);
  out.degenerate = degenerate_at_fp32(example.degenerate);
  return out;
}

std::vector<EvaluationTask> read_source(const TaskOptions& options) {
  data::ExampleReader reader({options.source}, data::RowOptions());
  std::vector<EvaluationTask> tasks;
  while (std::optional<data::ReadExample> read = reader.next()) {
    if (!read->example) {
      throw base::UserError("evaluate", options.source + ": " + read->file +
                                            (read->row > 0 ? ", row " + std::to_string(read->row) : "") +
                                            " is no task: " + read->problem.reason + ": " + read->problem.message +
                                            "; take it out, or name a source of tasks alone");
    }
    EvaluationTask task = task_of(*std::move(read->example));
    if (is_wanted(options, task.level)) tasks.push_back(std::move(task));
  }
  return tasks;
}

// Those that `prepare` gives to the asked part, by their composition.
std::vector<EvaluationTask> generate_tasks(const TaskOptions& options) {
  data::TeacherOptions teacher = options.teacher;
  const std::int64_t wanted = teacher.generate;
  teacher.seed = options.seed;
  // One in twenty goes to the test; what is held out is in no training data whatever its composition.
  const bool all = options.split == "all" || teacher.held_out_idioms || teacher.held_out_operators;
  teacher.generate = wanted * 1'000 + 10'000;
  data::GeneratedExamples examples(teacher,
                                   std::make_shared<const data::BenchmarkHashes>(data::BenchmarkHashes::built_in()));
  std::vector<EvaluationTask> tasks;
  while (static_cast<std::int64_t>(tasks.size()) < wanted) {
    std::optional<data::ReadExample> read = examples.next();
    if (!read) {
      throw base::UserError("evaluate", "--generate " + std::to_string(wanted) + ": only " +
                                            std::to_string(tasks.size()) +
                                            " tasks of this split and these levels were drawn; choose others");
    }
    data::Example& example = *read->example;
    const std::string key = data::split_key(example.id, example.repository, example.operator_hash);
    const bool in_split = all || record::to_string(split_of(key, options.division)) == options.split;
    if (in_split && is_wanted(options, example.level)) tasks.push_back(task_of(std::move(example)));
  }
  return tasks;
}

// The labels that the source is or holds; empty: it is something else.
fs::path labels_of(const std::string& source) {
  const fs::path in_folder = record::DataFolder{source}.labels();
  if (fs::exists(in_folder)) return in_folder;
  std::ifstream file(source);
  std::string line;
  if (fs::is_directory(source) || !std::getline(file, line)) return {};
  return record::labelled_task_from_json(line).ok() ? fs::path(source) : fs::path();
}

std::vector<EvaluationTask> read_labels(const fs::path& path, const TaskOptions& options) {
  std::ifstream file(path);
  std::vector<EvaluationTask> tasks;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const base::Result<record::LabelledTask> read = record::labelled_task_from_json(line);
    if (!read.ok())
      throw base::UserError("evaluate", path.string() + ":" + std::to_string(number) + ": " + read.error());
    const record::LabelledTask& labelled = read.value();
    const bool in_split = options.split == "all" || labelled.split.empty() || labelled.split == options.split;
    const int level = labelled.own_level > 0 ? labelled.own_level : labelled.difficulty;
    if (labelled.runnable && in_split && is_wanted(options, level))
      tasks.push_back({.task = labelled.task(), .level = level, .degenerate = degenerate_at_fp32(labelled.degenerate)});
  }
  return tasks;
}

// A task's place in the draw depends on its own id, so that a smaller draw is part of a larger one.
std::vector<EvaluationTask> drawn(std::vector<EvaluationTask> tasks, const TaskOptions& options) {
  const auto count = static_cast<std::size_t>(options.num_tasks);
  if (count == 0 || count >= tasks.size()) return tasks;
  std::vector<std::pair<std::uint64_t, std::size_t>> places;
  for (std::size_t i = 0; i < tasks.size(); ++i) places.emplace_back(base::hash64(tasks[i].task.id, options.seed), i);
  std::sort(places.begin(), places.end());
  places.resize(count);
  std::sort(places.begin(), places.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  std::vector<EvaluationTask> out;
  for (const auto& [place, index] : places) out.push_back(std::move(tasks[index]));
  return out;
}

void refuse_doubles(const std::vector<EvaluationTask>& tasks) {
  std::set<std::string> ids;
  for (const EvaluationTask& task : tasks) {
    if (!ids.insert(task.task.id).second)
      throw base::UserError("evaluate", "two tasks are called " + task.task.id + "; give each an id of its own");
  }
}

}  // namespace

std::vector<EvaluationTask> read_tasks(const TaskOptions& options) {
  const bool generated = options.teacher.generate > 0;
  if (generated == !options.source.empty())
    throw base::UserError("evaluate", "name tasks by --tasks SOURCE, or let some be made by --generate N");
  std::vector<EvaluationTask> tasks;
  if (generated) {
    tasks = generate_tasks(options);
  } else if (const fs::path labels = labels_of(options.source); !labels.empty()) {
    tasks = read_labels(labels, options);
  } else {
    tasks = read_source(options);
  }
  if (tasks.empty()) {
    throw base::UserError("evaluate", options.source + ": has no task" +
                                          (options.levels.empty() ? "" : " of these levels") + " of the split " +
                                          options.split + "; choose --levels and --split anew");
  }
  refuse_doubles(tasks);
  return drawn(std::move(tasks), options);
}

std::string tasks_hash(std::span<const EvaluationTask> tasks) {
  std::string all;
  for (const EvaluationTask& task : tasks)
    all += base::sha256(task.task.id + "\n" + task.task.entry_point + "\n" + task.task.source) + "\n";
  return base::sha256(all);
}

}  // namespace tritonrl::evaluate
