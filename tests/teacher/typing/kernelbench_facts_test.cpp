#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "base/files.h"
#include "data/tasks/kernelbench.h"
#include "tests/teacher/typing/compare_facts.h"
#include "tests/teacher/typing/every_layer.h"

// What is inferred against what Python sees when it runs the same text: nothing may be wrong.
namespace tritonrl::teacher {
namespace {

Comparison compare_module(const std::string& source, const std::string& name, bool host_in_forward, bool* complete) {
  const TracedModule traced = trace_module(source);
  EXPECT_TRUE(traced.error.empty()) << name << ": " << traced.error;
  if (!traced.tree.has_value() || !traced.error.empty()) return {};
  const Inferred inferred = infer_facts(traced.tree->root(), "", {.everywhere = true});
  EXPECT_EQ(inferred.forward.operators, abstract::forward_operators(traced.tree->root(), "").operators) << name;
  *complete = inferred.complete;
  const Comparison comparison = compare_facts(traced, inferred, host_in_forward);
  for (const std::string& wrong : comparison.wrong) ADD_FAILURE() << name << " " << wrong;
  return comparison;
}

TEST(InferredFacts, OfEveryLayer) {
  int group = 0;
  for (const std::string& source : every_layer_modules()) {
    const std::string name = "group " + std::to_string(++group);
    bool complete = false;
    const Comparison comparison = compare_module(source, name, false, &complete);
    EXPECT_TRUE(complete) << name;
    for (const std::string& missing : comparison.missing) ADD_FAILURE() << name << " missing " << missing;
  }
}

TEST(InferredFacts, OfKernelBench) {
  const char* folder = std::getenv("TRITONRL_KERNELBENCH");
  const auto files = folder == nullptr ? std::vector<std::filesystem::path>() : data::benchmark_files(folder);
  if (files.empty()) GTEST_SKIP() << "TRITONRL_KERNELBENCH names no checkout of KernelBench";
  int modules[4] = {}, whole[4] = {};
  Comparison all;
  for (const std::filesystem::path& file : files) {
    const auto place = data::benchmark_place(file);
    if (place->level > 3) continue;
    bool complete = false;
    const Comparison one = compare_module(base::read_file(file, std::size_t{1} << 20), place->name, true, &complete);
    ++modules[place->level];
    whole[place->level] += complete ? 1 : 0;
    all.tensors += one.tensors;
    all.tensors_missing += one.tensors_missing;
  }
  for (int level = 1; level <= 3; ++level) {
    std::cout << "level " << level << ": everything known in " << whole[level] << " of " << modules[level] << "\n";
  }
  std::cout << all.tensors_missing << " of " << all.tensors << " tensors missing\n";
  EXPECT_EQ(whole[1] + whole[2], modules[1] + modules[2]);
  EXPECT_GE(whole[3], 0.9 * modules[3]);
}

}  // namespace
}  // namespace tritonrl::teacher
