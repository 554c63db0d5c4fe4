#include "data/tasks/kernelbench.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "tests/base/scratch_folder.h"

namespace tritonrl::data {
namespace {

namespace fs = std::filesystem;

TEST(BenchmarkPlace, FromThePath) {
  const auto place = benchmark_place("somewhere/KernelBench/level2/100_ConvTranspose3d_Clamp.py");
  ASSERT_TRUE(place.has_value());
  EXPECT_EQ(place->level, 2);
  EXPECT_EQ(place->problem, 100);
  EXPECT_EQ(place->name, "100_ConvTranspose3d_Clamp");
}

TEST(BenchmarkPlace, OtherPathsHaveNone) {
  for (const char* const path : {"level1/Softmax.py", "level1/23_Softmax.txt", "level5/23_Softmax.py", "level/1_a.py",
                                 "level12/1_a.py", "23_Softmax.py", "level1/23.py", "level1/23_.py", "level1/-3_a.py",
                                 "level1/99999999999999999999_a.py", "", "level1/"}) {
    EXPECT_FALSE(benchmark_place(path).has_value()) << path;
  }
}

class BenchmarkFiles : public testing::Test {
 protected:
  void put(const std::string& file) {
    fs::create_directories((root() / file).parent_path());
    std::ofstream(root() / file) << "x = 1\n";
  }
  fs::path root() const { return scratch_.path(); }
  std::vector<std::string> names(const fs::path& folder) const {
    std::vector<std::string> names;
    for (const fs::path& file : benchmark_files(folder)) names.push_back(fs::relative(file, root()).string());
    return names;
  }

  base::ScratchFolder scratch_;
};

TEST_F(BenchmarkFiles, OfARootOfTheInnerFolderAndOfALevel) {
  for (const char* const file : {"KernelBench/level1/10_b.py", "KernelBench/level1/2_a.py", "KernelBench/level2/1_c.py",
                                 "KernelBench/level1/notes.txt", "KernelBench/changelog/1_x.py", "level.py"}) {
    put(file);
  }
  const std::vector<std::string> all = {"KernelBench/level1/2_a.py", "KernelBench/level1/10_b.py",
                                        "KernelBench/level2/1_c.py"};
  EXPECT_EQ(names(root()), all);
  EXPECT_EQ(names(root() / "KernelBench"), all);
  EXPECT_EQ(names(root() / "KernelBench/"), all);
  EXPECT_EQ(names(root() / "KernelBench" / "level2"), (std::vector<std::string>{all[2]}));
}

TEST_F(BenchmarkFiles, OfAnotherFolderAreNone) {
  put("modules/1_a.py");
  EXPECT_TRUE(names(root()).empty());
  EXPECT_TRUE(names(root() / "missing").empty());
}

TEST(DegenerateTasks, LevelNumberAndNameMustFit) {
  EXPECT_EQ(degenerate_reason({2, 80, "80_Gemm_Max_Subtract_GELU"}),
            "one number minus its own mean: the output is exactly 0");
  EXPECT_TRUE(is_degenerate({1, 23, "23_Softmax"}));
  EXPECT_EQ(degenerate_reason({2, 80, "80_Gemm_Max"}), "");
  EXPECT_EQ(degenerate_reason({1, 80, "80_Gemm_Max_Subtract_GELU"}), "");
  EXPECT_EQ(degenerate_reason({2, 81, "80_Gemm_Max_Subtract_GELU"}), "");
  EXPECT_FALSE(is_degenerate({1, 24, "24_LogSoftmax"}));
}

TEST(DegenerateTasks, LooseOnesSaySo) {
  const BenchmarkPlace place{1, 38, "38_L1Norm_"};
  EXPECT_TRUE(degenerate_reason(place).starts_with("at 1e-2: "));
  EXPECT_FALSE(is_degenerate(place));
}

TEST(DegenerateTasks, EachIsATaskOfTheCheckout) {
  const char* folder = std::getenv("TRITONRL_KERNELBENCH");
  if (folder == nullptr) GTEST_SKIP() << "TRITONRL_KERNELBENCH names no checkout of KernelBench";
  std::vector<std::string> known;
  for (const fs::path& file : benchmark_files(folder)) {
    const auto place = benchmark_place(file);
    known.push_back(std::to_string(place->level) + "/" + place->name);
  }
  EXPECT_EQ(all_degenerate_places().size(), 27u);
  for (const BenchmarkPlace& place : all_degenerate_places()) {
    EXPECT_TRUE(place.name.starts_with(std::to_string(place.problem) + "_"));
    EXPECT_NE(std::find(known.begin(), known.end(), std::to_string(place.level) + "/" + place.name), known.end())
        << place.name;
  }
}

}  // namespace
}  // namespace tritonrl::data
