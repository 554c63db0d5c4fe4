#include "record/checkpoint_folder.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/base/scratch_folder.h"

namespace tritonrl::record {
namespace {

TEST(CheckpointFolder, OwnsTheNames) {
  const CheckpointFolder folder{"c"};
  EXPECT_EQ(folder.final_of("sft"), "c/sft_final");
  EXPECT_EQ(folder.step("sft", 120), "c/sft/step_000120");
  EXPECT_EQ(folder.step("sft", 12345678), "c/sft/step_12345678");
}

TEST(CheckpointFolder, ListsStepsAndNothingElse) {
  const base::ScratchFolder scratch;
  const CheckpointFolder folder{scratch.path("c")};
  EXPECT_TRUE(folder.steps("sft").empty());
  for (const std::int64_t step : {10, 2, 1000000}) std::filesystem::create_directories(folder.step("sft", step));
  for (const char* name : {"step_000003.part", "step_x", "tokenizer"})
    std::filesystem::create_directories(folder.stage("sft") / name);
  std::ofstream(folder.stage("sft") / "step_000004") << "a file";
  EXPECT_EQ(folder.steps("sft"), (std::vector<std::int64_t>{2, 10, 1000000}));
}

}  // namespace
}  // namespace tritonrl::record
