#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "base/files.h"
#include "data/tasks/kernelbench.h"
#include "tests/abstract/read_module.h"
#include "tests/python/test_recorder.h"

// The labels against the levels of a checkout of KernelBench, which TRITONRL_KERNELBENCH names. The rules were made by
// looking at the even-numbered tasks; the odd ones show what they are worth.
namespace tritonrl::abstract {
namespace {

constexpr double kFloor = 0.9;

struct Confusion {
  int counts[4][4] = {};

  void add(int level, int label) { ++counts[level][label]; }
  int right() const { return counts[1][1] + counts[2][2] + counts[3][3]; }
  int all() const {
    int sum = 0;
    for (const auto& row : counts) {
      for (const int count : row) sum += count;
    }
    return sum;
  }
  void print(const std::string& title) const {
    std::cout << title << ": " << right() << " of " << all() << " agree\n             label 1  label 2  label 3\n";
    for (int level = 1; level <= 3; ++level) {
      std::cout << "    level " << level;
      for (int label = 1; label <= 3; ++label) {
        const std::string number = std::to_string(counts[level][label]);
        std::cout << std::string(9 - number.size(), ' ') << number;
      }
      std::cout << "\n";
    }
  }
};

std::vector<std::filesystem::path> checkout() {
  const char* folder = std::getenv("TRITONRL_KERNELBENCH");
  return folder == nullptr ? std::vector<std::filesystem::path>() : data::benchmark_files(folder);
}

// Labels every task of levels 1 to 3 and compares; [0]: even-numbered tasks, [1]: odd ones.
template <typename Label>
void compare(const std::string& title, Label label) {
  const auto files = checkout();
  if (files.empty()) GTEST_SKIP() << "TRITONRL_KERNELBENCH names no checkout of KernelBench";
  Confusion tables[2];
  for (const std::filesystem::path& file : files) {
    const auto place = data::benchmark_place(file);
    if (place->level > 3) continue;
    const Difficulty difficulty = label(file);
    tables[place->problem % 2].add(place->level, difficulty.level);
    if (difficulty.level == place->level) continue;
    std::cout << "level " << place->level << " " << place->name << ": " << difficulty.level << ", "
              << difficulty.why.back() << "\n";
  }
  tables[0].print(title + ", even-numbered tasks");
  tables[1].print(title + ", odd-numbered tasks");
  for (const Confusion& table : tables) EXPECT_GE(table.right(), kFloor * table.all());
}

TEST(KernelBenchLabels, ByTheText) {
  compare("text", [](const std::filesystem::path& file) {
    const std::string source = base::read_file(file);
    return difficulty_of(read_module(source), source);
  });
}

TEST(KernelBenchLabels, ByTheProgram) {
  int by_text = 0;
  compare("program", [&](const std::filesystem::path& file) {
    const std::string source = base::read_file(file);
    const python::RecordOutcome outcome = python::test_recorder().record(python::task_request(source));
    if (outcome.program.has_value()) return difficulty_of(*outcome.program);
    ++by_text;
    return difficulty_of(read_module(source), source);
  });
  std::cout << by_text << " tasks do not record and were labelled by their text\n";
}

}  // namespace
}  // namespace tritonrl::abstract
