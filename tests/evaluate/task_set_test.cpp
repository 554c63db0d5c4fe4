#include "evaluate/task_set.h"

#include <set>

#include "base/error.h"
#include "base/files.h"
#include "record/labelled_task.h"
#include "tests/base/scratch_folder.h"

namespace tritonrl::evaluate {
namespace {

constexpr const char* kModule = R"(
import torch
from torch import nn
class Model(nn.Module):
    def forward(self, x):
        return torch.relu(x)
def get_inputs():
    return [torch.rand(4, 4)]
def get_init_inputs():
    return []
)";

// A folder with files, all of the same module.
class TaskSources : public ::testing::Test {
 protected:
  void add(const std::string& name, const std::string& text = kModule) const {
    base::make_folder_of(folder_.path(name));
    base::write_file_atomically(folder_.path(name), text);
  }
  std::vector<EvaluationTask> read(TaskOptions options, const std::string& source) const {
    options.source = folder_.path(source);
    return read_tasks(options);
  }
  static std::vector<std::string> ids(const std::vector<EvaluationTask>& tasks) {
    std::vector<std::string> out;
    for (const EvaluationTask& task : tasks) out.push_back(task.task.id);
    return out;
  }

  base::ScratchFolder folder_;
};

TEST_F(TaskSources, KernelBenchHasItsOwnLevelsAndKnownFlaws) {
  add("bench/KernelBench/level1/23_Softmax.py");
  add("bench/KernelBench/level1/3_Other.py");
  add("bench/KernelBench/level2/1_Fused.py");
  const std::vector<EvaluationTask> all = read({}, "bench");
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].task.id, "kernelbench/level1/3_Other");
  EXPECT_EQ(all[0].degenerate, "");
  EXPECT_NE(all[1].degenerate, "");
  EXPECT_EQ(all[2].level, 2);
  EXPECT_EQ(ids(read({.levels = {"2"}}, "bench")), std::vector<std::string>{"kernelbench/level2/1_Fused"});
  EXPECT_THROW(read({.levels = {"3"}}, "bench"), base::UserError);
}

TEST_F(TaskSources, ModulesOfAFolderGetTheirLevelFromTheText) {
  add("tasks/a.py");
  const std::vector<EvaluationTask> tasks = read({}, "tasks");
  ASSERT_EQ(tasks.size(), 1u);
  EXPECT_EQ(tasks[0].level, 1);
  EXPECT_EQ(tasks[0].task.source, kModule);
}

TEST_F(TaskSources, PreparedTasksAreThoseOfTheSplit) {
  std::string lines;
  for (const char* split : {"train", "test", "validation"}) {
    record::LabelledTask task;
    task.id = split;
    task.pytorch_code = kModule;
    task.split = split;
    task.difficulty = 2;
    lines += to_json(task) + "\n";
    task.id += " that does not run";
    task.runnable = false;
    lines += to_json(task) + "\n";
  }
  add("data/difficulty_labels.jsonl", lines);
  EXPECT_EQ(ids(read({}, "data")), std::vector<std::string>{"test"});
  EXPECT_EQ(ids(read({.split = "train"}, "data/difficulty_labels.jsonl")), std::vector<std::string>{"train"});
  EXPECT_EQ(read({.split = "all"}, "data").size(), 3u);
  add("data/difficulty_labels.jsonl", lines + "{}\n");
  EXPECT_THROW(read({}, "data"), base::UserError);
}

TEST_F(TaskSources, ASmallerDrawIsPartOfALargerOne) {
  for (int i = 0; i < 30; ++i) add("tasks/" + std::to_string(100 + i) + ".py");
  std::set<std::string> last;
  for (const int count : {1, 5, 29, 30, 99}) {
    const std::vector<std::string> found = ids(read({.num_tasks = count, .seed = 3}, "tasks"));
    EXPECT_EQ(found.size(), static_cast<std::size_t>(std::min(count, 30)));
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
    const std::set<std::string> now(found.begin(), found.end());
    EXPECT_TRUE(std::includes(now.begin(), now.end(), last.begin(), last.end()));
    last = now;
  }
  EXPECT_NE(ids(read({.num_tasks = 5, .seed = 3}, "tasks")), ids(read({.num_tasks = 5, .seed = 4}, "tasks")));
  EXPECT_NE(tasks_hash(read({.num_tasks = 5, .seed = 3}, "tasks")),
            tasks_hash(read({.num_tasks = 5, .seed = 4}, "tasks")));
}

// What `prepare` would train on is not among them.
TEST_F(TaskSources, GeneratedTasksAreOfCompositionsHeldOut) {
  TaskOptions options;
  options.teacher.generate = 3;
  options.seed = 1;
  const std::vector<EvaluationTask> tasks = read_tasks(options);
  ASSERT_EQ(tasks.size(), 3u);
  EXPECT_EQ(tasks_hash(tasks), tasks_hash(read_tasks(options)));
  for (const EvaluationTask& task : tasks) EXPECT_GE(task.level, 1);
  options.split = "all";
  const std::vector<EvaluationTask> all = read_tasks(options);
  EXPECT_EQ(ids(all), (std::vector<std::string>{"generated/1/0", "generated/1/1", "generated/1/2"}));
  EXPECT_NE(ids(all), ids(tasks));
  options.teacher.held_out_idioms = true;
  EXPECT_EQ(read_tasks(options).size(), 3u);
}

TEST_F(TaskSources, SaysWhatIsWrongWithASource) {
  EXPECT_THROW(read_tasks({}), base::UserError);
  EXPECT_THROW(read({}, "nothing"), base::UserError);
  add("tasks/empty.py", "");
  EXPECT_THROW(read({}, "tasks"), base::UserError);
}

}  // namespace
}  // namespace tritonrl::evaluate
