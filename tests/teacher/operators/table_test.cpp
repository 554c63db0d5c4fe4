#include <gtest/gtest.h>

#include <map>
#include <set>

#include "teacher/operators/operator.h"

namespace tritonrl::teacher {
namespace {

TEST(OperatorTable, EntriesAGroup) {
  std::map<Group, int> counts, with_recipe;
  for (const Operator& op : all_operators()) {
    ++counts[op.group];
    if (!op.recipes.empty()) ++with_recipe[op.group];
  }
  const std::map<Group, std::pair<const char*, int>> least{{Group::kPointwise, {"pointwise", 100}},
                                                           {Group::kReduction, {"reduction", 15}},
                                                           {Group::kNormalisation, {"normalisation", 10}},
                                                           {Group::kLoss, {"loss", 18}},
                                                           {Group::kScan, {"scan", 6}},
                                                           {Group::kPooling, {"pooling", 12}},
                                                           {Group::kMovement, {"movement", 50}},
                                                           {Group::kHeavy, {"heavy", 20}},
                                                           {Group::kOther, {"other", 20}}};
  for (const auto& [group, expected] : least) {
    std::printf("%-14s %3d entries, %3d with a recipe\n", expected.first, counts[group], with_recipe[group]);
    EXPECT_GE(counts[group], expected.second) << expected.first;
  }
  EXPECT_GE(with_recipe[Group::kPointwise], 100);
}

TEST(OperatorTable, FoundByName) {
  for (const Operator& op : all_operators()) EXPECT_EQ(find_operator(op.name), &op);
  EXPECT_EQ(find_operator("no such"), nullptr);
}

// One reduction or scan a statement, of a plain name.
TEST(OperatorTable, ReductionsStandAlone) {
  const std::set<std::string_view> reductions{"sum(",    "max(",    "min(",    "prod(",    "any(",    "all(",
                                              "argmax(", "argmin(", "cumsum(", "cumprod(", "cummax(", "cummin("};
  for (const Operator& op : all_operators()) {
    for (const Recipe& recipe : op.recipes) {
      for (const std::string_view name : reductions) {
        for (std::size_t at = recipe.text.find(name); at != std::string_view::npos;
             at = recipe.text.find(name, at + 1)) {
          const char before = at == 0 ? ' ' : recipe.text[at - 1];
          if (before != ' ') continue;  // tl.max, argmax for max
          const std::size_t end = recipe.text.find(')', at);
          ASSERT_NE(end, std::string_view::npos);
          const std::string_view operand = recipe.text.substr(at + name.size(), end - at - name.size());
          EXPECT_EQ(operand.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"), std::string_view::npos)
              << op.name << ": " << recipe.text;
          const bool is_last = end + 1 == recipe.text.size();
          EXPECT_TRUE(is_last || recipe.text[end + 1] == ';') << op.name << ": " << recipe.text;
          EXPECT_TRUE(at == 0 || recipe.text.substr(at - 2, 2) == "= " || recipe.text.substr(at - 2, 2) == "; ")
              << op.name << ": " << recipe.text;
        }
      }
      EXPECT_EQ(recipe.text.find("None"), std::string_view::npos) << op.name;
    }
  }
}

}  // namespace
}  // namespace tritonrl::teacher
