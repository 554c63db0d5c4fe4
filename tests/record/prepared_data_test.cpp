#include <gtest/gtest.h>

#include "record/data_folder.h"
#include "record/labelled_task.h"
#include "record/training_pair.h"

namespace tritonrl::record {
namespace {

TEST(TrainingPair, ComesBack) {
  const TrainingPair pair{.id = "kernelbook/17",
                          .instruction = "Write \"it\"\n",
                          .output = "```python\nx = 'ü'\n```",
                          .pytorch_code = "class A: pass\t",
                          .level = 2,
                          .entry_point = "A",
                          .source = "kernelbook",
                          .repository = "owner/name",
                          .licenses = {"MIT", "Apache-2.0"}};
  const auto read = training_pair_from_json(to_json(pair));
  ASSERT_TRUE(read.ok()) << read.error();
  EXPECT_EQ(read.value(), pair);
  EXPECT_EQ(to_json(pair).find('\n'), std::string::npos);
}

TEST(TrainingPair, TakesLinesOfOthersAndNamesWhatIsWrong) {
  EXPECT_TRUE(training_pair_from_json(R"({"id":"1","instruction":"i","output":"o","pytorch_code":"p"})").ok());
  EXPECT_EQ(training_pair_from_json(R"({"id":"1","instruction":"i","pytorch_code":"p"})").error(),
            "pair: output is missing");
  EXPECT_EQ(
      training_pair_from_json(R"({"id":"1","instruction":"i","output":"o","pytorch_code":"p","level":4})").error(),
      "pair: level is 4; it must be at least 1 and at most 3");
  EXPECT_FALSE(training_pair_from_json("[").ok());
  EXPECT_FALSE(
      training_pair_from_json(R"({"id":"1","instruction":"i","output":"o","pytorch_code":"p","licenses":["a",1]})")
          .ok());
}

TEST(LabelledTask, ComesBack) {
  LabelledTask task{.id = "kernelbench/level2/1_A",
                    .pytorch_code = "x",
                    .difficulty = 3,
                    .why = {"heavy: conv2d", "an architecture"},
                    .entry_point = "Model",
                    .split = "test",
                    .source = "kernelbench",
                    .labelled_by = "program",
                    .runnable = false,
                    .own_level = 2,
                    .degenerate = "its output is 0"};
  auto read = labelled_task_from_json(to_json(task));
  ASSERT_TRUE(read.ok()) << read.error();
  EXPECT_EQ(read.value(), task);
  EXPECT_EQ(read.value().task().source, "x");
  task.own_level = 0;
  task.degenerate.clear();
  EXPECT_EQ(to_json(task).find("own_level"), std::string::npos);
  EXPECT_EQ(labelled_task_from_json(R"({"id":"1","pytorch_code":"p","difficulty":0})").error(),
            "label: difficulty is 0; it must be at least 1 and at most 3");
  EXPECT_EQ(labelled_task_from_json(R"({"id":"1","pytorch_code":"p","difficulty":"2"})").error(),
            "label: difficulty is not a whole number in range");
}

TEST(DataFolder, NamesTheFiles) {
  const DataFolder data{.folder = "out"};
  EXPECT_EQ(data.pairs(Split::kTrain), "out/sft_train.jsonl");
  EXPECT_EQ(data.pairs(Split::kTest), "out/sft_test.jsonl");
  EXPECT_EQ(data.labels(), "out/difficulty_labels.jsonl");
  EXPECT_EQ(DataFolder{}.labels(), "data/processed/difficulty_labels.jsonl");
}

}  // namespace
}  // namespace tritonrl::record
