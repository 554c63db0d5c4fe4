#include "teacher/reader/recipe_statements.h"

#include <gtest/gtest.h>

namespace tritonrl::teacher {
namespace {

TEST(RecipeStatements, TakesASoftmaxApart) {
  const Operator* softmax = find_operator("softmax");
  ASSERT_NE(softmax, nullptr);
  ASSERT_FALSE(softmax->recipes.empty());
  const std::vector<RecipeStatement>& statements = statements_of(softmax->recipes.front());
  ASSERT_GE(statements.size(), 4u);
  EXPECT_EQ(statements[0].kind, RecipeStatement::Kind::kReduce);
  EXPECT_EQ(statements[0].text, "max");
  EXPECT_EQ(statements[0].names, std::vector<std::string>({"input"}));
  EXPECT_EQ(statements.back().target, "");
}

// Every name of every recipe is a parameter, something assigned before, or one of the two free names.
TEST(RecipeStatements, KnowsEveryNameOfTheTable) {
  int recipes = 0;
  for (const Operator& op : all_operators()) {
    for (const Recipe& recipe : op.recipes) {
      ++recipes;
      std::vector<std::string> known = {"count", "place"};
      std::string parameters(op.parameters);
      for (std::size_t at = 0; at < parameters.size();) {
        const std::size_t end = std::min(parameters.find(", ", at), parameters.size());
        const std::string one = parameters.substr(at, end - at);
        known.push_back(one.substr(0, one.find('=')));
        at = end + 2;
      }
      const std::vector<RecipeStatement>& statements = statements_of(recipe);
      ASSERT_FALSE(statements.empty()) << op.name;
      for (const RecipeStatement& statement : statements) {
        for (const std::string& name : statement.names) {
          EXPECT_NE(std::find(known.begin(), known.end(), name), known.end()) << op.name << ": " << name;
        }
        EXPECT_LE(statement.names.size(), 10u) << op.name;  // $0 to $9
        known.push_back(statement.target);
      }
    }
  }
  EXPECT_GT(recipes, 100);
}

}  // namespace
}  // namespace tritonrl::teacher
