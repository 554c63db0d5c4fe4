#include "teacher/plan/plan.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "base/files.h"
#include "syntax/parse.h"
#include "teacher/families/generate.h"
#include "teacher/plan/lower_plan.h"
#include "teacher/typing/infer_facts.h"
#include "tests/paths.h"
#include "tests/teacher/reader/rewritten.h"

namespace tritonrl::teacher {
namespace {

base::Result<Rewritten> lowered(const std::string& module, const std::string& entry_point, std::string_view answer) {
  syntax::SyntaxArena arena;
  const syntax::Parsed parsed = syntax::parse(module, arena);
  if (parsed.module == nullptr) return base::Failure{"no Python: " + parsed.error};
  const auto plan = read_plan(answer);
  if (!plan.ok()) return base::Failure{plan.error()};
  return lower_plan(*parsed.module, infer_facts(*parsed.module, entry_point).facts, entry_point, plan.value());
}

// Sections by their names, of a case; "" is the case's own.
using PlanCase = std::map<std::string, std::string>;

std::vector<PlanCase> plan_cases() {
  std::vector<PlanCase> out;
  std::istringstream lines(base::read_file(source_path("tests/teacher/plan/plans.txt")));
  std::string section;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("=== ")) {
      out.push_back({{"", line.substr(4)}});
      section.clear();
    } else if (line.starts_with("-- ")) {
      section = line.substr(3);
    } else if (!section.empty() && !line.empty()) {
      out.back()[section] += line + "\n";
    }
  }
  return out;
}

std::vector<std::string> text_lines(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) out.push_back(line);
  return out;
}

TEST(Plan, IsLoweredOrRefused) {
  const std::vector<PlanCase> all = plan_cases();
  ASSERT_GT(all.size(), 20U);
  for (PlanCase each : all) {
    SCOPED_TRACE(each[""]);
    const base::Result<Rewritten> made = lowered(module_text(each["forward"]), "Model", each["plan"]);
    if (!each["refused"].empty()) {
      EXPECT_EQ(made.ok() ? "" : made.error() + "\n", each["refused"]);
      continue;
    }
    EXPECT_TRUE(made.ok()) << made.error();
    if (!made.ok()) continue;
    EXPECT_FALSE(each["has"].empty());
    for (const std::string& line : text_lines(each["has"]))
      EXPECT_TRUE(has(made.value(), line)) << line << "\n" << made.value().solution;
    for (const std::string& line : text_lines(each["lacks"]))
      EXPECT_FALSE(has(made.value(), line)) << line << "\n" << made.value().solution;
  }
}

std::size_t regions_of(const Rewritten& solution) {
  std::size_t out = 0;
  for (const RegionReport& region : solution.regions) out += 1 + region.also.size();
  return out;
}

// The plan of a solution is all that the solution takes, for the canonical forms and the fast ones.
TEST(Plan, OfASolutionGivesTheSolutionAgain) {
  for (const double fast : {0.0, 1.0}) {
    PairGenerator generator(
        {.seed = 7, .singles = 3, .chains = 1, .fast = fast, .realistic_sizes = true, .plan = PlanForm::kLines});
    for (std::uint64_t i = 0; i < 100; ++i) {
      const GeneratedPair pair = generator.pair(i);
      const std::vector<PlannedRegion> plan = plan_of(pair.answer);
      if (plan.size() < regions_of(pair.answer)) continue;  // the same words twice, with two kernels
      const base::Result<Rewritten> made = lowered(pair.module, pair.entry_point, plan_text(plan));
      ASSERT_TRUE(made.ok()) << made.error() << "\n" << pair.module;
      EXPECT_EQ(made.value().solution, pair.answer.solution) << pair.module;
    }
  }
}

TEST(Plan, DrawnOnesDifferAndCanBeLowered) {
  PairGenerator generator({.seed = 8, .singles = 3, .chains = 1, .drawn = 1, .realistic_sizes = true});
  PairGenerator usual({.seed = 8, .singles = 3, .chains = 1, .realistic_sizes = true});
  int others = 0, cut = 0;
  for (std::uint64_t i = 0; i < 60; ++i) {
    const GeneratedPair pair = generator.pair(i), same = usual.pair(i);
    EXPECT_EQ(pair.module, same.module);
    const std::vector<PlannedRegion> plan = plan_of(pair.answer);
    const base::Result<Rewritten> made = lowered(pair.module, pair.entry_point, plan_text(plan));
    ASSERT_TRUE(made.ok()) << made.error() << "\n" << pair.module << plan_text(plan);
    others += plan_text(plan) != plan_text(plan_of(same.answer)) ? 1 : 0;
    cut += plan.size() > plan_of(same.answer).size() ? 1 : 0;
  }
  EXPECT_GT(others, 50);
  EXPECT_GT(cut, 5);
}

TEST(Plan, ReadsWhatItWrites) {
  Schedule schedule;
  schedule.form = RowForm::kColumns;
  schedule.rows = 32;
  schedule.grouped = true;
  schedule.dot = DotPrecision::kTf32x3;
  schedule.warps = 2;
  const std::vector<PlannedRegion> plan = {
      {.name = "fused1", .kind = "split rows", .schedule = schedule, .operators = "_1 = relu(x)\nsoftmax(_1, dim=-1)"},
      {.name = "fused2", .kind = "pointwise", .schedule = {}, .operators = "relu(x)"}};
  const std::string text = plan_text(plan);
  const auto read = read_plan(text + "\nimport torch\n");
  ASSERT_TRUE(read.ok()) << read.error();
  EXPECT_EQ(plan_text(read.value()), text);
  EXPECT_EQ(read.value()[0].kind, "split rows");
}

}  // namespace
}  // namespace tritonrl::teacher
