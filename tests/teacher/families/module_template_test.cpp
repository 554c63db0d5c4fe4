#include "teacher/families/module_template.h"

#include <gtest/gtest.h>

#include <set>

namespace tritonrl::teacher {
namespace {

TEST(ModuleTemplate, ReadsATemplate) {
  const TemplateLibrary library = read_templates(
      "macro twice a: {`1 + `1|2 * `1}\n"
      "== sample seq 7\n"
      "args dim=D scale=0.5,2.0\n"
      "multiple D 4\n"
      "init\n"
      "self.$fc = nn.Linear($dim, $dim)\n"
      "forward\n"
      "$y = ~twice(self.$fc($x)) * $scale\n"
      "@dense $y BTD; $x BTD +\n"
      "return {$y|3:$y + $x}\n");
  ASSERT_EQ(library.templates.size(), 1u);
  const ModuleTemplate& of = library.templates[0];
  EXPECT_EQ(of.name, "sample");
  EXPECT_EQ(of.weight, 7);
  ASSERT_EQ(of.arguments.size(), 2u);
  EXPECT_EQ(of.arguments[0].letter, 'D');
  EXPECT_FALSE(of.arguments[0].kept);
  EXPECT_TRUE(of.arguments[1].kept) << "forward uses it";
  ASSERT_EQ(of.forward.size(), 2u);
  EXPECT_TRUE(of.forward[1].dense);
  EXPECT_TRUE(of.forward[1].operands[1].nonnegative);
  ASSERT_EQ(of.result.size(), 1u);
  EXPECT_EQ(of.result[0].weights, (std::vector<int>{1, 3}));
  EXPECT_EQ(library.macro("twice").parameters, 1);
}

TEST(ModuleTemplate, ComesWithManyIdioms) {
  std::set<std::string> names;
  int planted = 0;
  for (const ModuleTemplate& of : template_library().templates) {
    EXPECT_TRUE(names.insert(of.name + (of.kind == "lone" ? of.inputs.front().shape : "")).second)
        << of.name << " is there twice";
    for (const TemplateLine& line : of.forward) planted += line.dense;
    EXPECT_FALSE(of.result.empty()) << of.name << " gives nothing back";
  }
  std::printf("%zu templates, %d places for formulas\n", names.size(), planted);
  EXPECT_GE(names.size(), 60u);
}

}  // namespace
}  // namespace tritonrl::teacher
