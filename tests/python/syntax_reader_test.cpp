#include "python/syntax_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "base/files.h"
#include "base/sha256.h"
#include "base/subprocess.h"
#include "tests/paths.h"
#include "tests/python/test_syntax.h"

namespace tritonrl::python {
namespace {

namespace fs = std::filesystem;

TEST(SyntaxReader, GivesPythonsOwnTree) {
  const ParsedSource parsed = parse_text("class A(B):\n    def f(self, x=2):\n        return self.g(x) @ 1.5\n");
  ASSERT_TRUE(parsed.tree) << parsed.error;
  const syntax::SyntaxNode& a = *parsed.tree->root().nodes("body").at(0);
  EXPECT_EQ(a.kind, "ClassDef");
  EXPECT_EQ(a.text("name"), "A");
  const syntax::SyntaxNode& f = *a.nodes("body").at(0);
  EXPECT_EQ(f.line, 2);
  EXPECT_EQ(f.column, 4);
  const syntax::SyntaxNode* value = f.nodes("body").at(0)->node("value");
  ASSERT_NE(value, nullptr);
  EXPECT_TRUE(value->is("BinOp"));
  EXPECT_TRUE(value->node("op")->is("MatMult"));
  EXPECT_EQ(std::get<double>(*value->node("right")->field("value")), 1.5);
  EXPECT_EQ(value->node("none"), nullptr);
  EXPECT_TRUE(value->nodes("left").empty());
}

// Every construct of the language that the standard library uses, places included.
TEST(SyntaxReader, AgreesWithPythonOnItsStandardLibrary) {
  const Interpreter interpreter = test_syntax_options().interpreter;
  const base::CommandResult where =
      base::run_command({interpreter.executable, "-c", "import ast, os; print(os.path.dirname(ast.__file__))"});
  ASSERT_EQ(where.exit_code, 0) << where.errors;
  std::vector<std::string> files, command = {interpreter.executable, "-B", source_path("tests/syntax/dump_syntax.py")};
  for (const fs::directory_entry& entry : fs::directory_iterator(where.output.substr(0, where.output.size() - 1))) {
    if (entry.path().extension() == ".py" && entry.file_size() < 60'000) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  ASSERT_GT(files.size(), 50u);
  command.insert(command.end(), files.begin(), files.end());
  const base::CommandResult expected = base::run_command(command, std::chrono::minutes(5));
  ASSERT_EQ(expected.exit_code, 0) << expected.errors;

  std::vector<std::string> texts;
  for (const std::string& file : files) texts.push_back(base::read_file(file));
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  const std::vector<ParsedSource> parsed = test_syntax().parse(views);
  std::string got;
  for (std::size_t i = 0; i < files.size(); ++i) {
    ASSERT_TRUE(parsed[i].tree) << files[i] << ": " << parsed[i].error;
    got += base::sha256(dump(parsed[i].tree->root())) + " " + files[i] + "\n";
  }
  EXPECT_EQ(got, expected.output);
}

TEST(SyntaxReader, SaysWhereATextDoesNotParse) {
  const ParsedSource parsed = parse_text("x = 1\ny = (\n");
  EXPECT_FALSE(parsed.tree);
  EXPECT_EQ(parsed.line, 2);
  EXPECT_NE(parsed.error.find("was never closed"), std::string::npos) << parsed.error;
  EXPECT_FALSE(parse_text(std::string_view("a\0b", 3)).tree);
  EXPECT_FALSE(parse_text("'\xff'").tree);
  EXPECT_TRUE(parse_text("").tree);
}

TEST(SyntaxReader, NormalisesAsPythonDoes) {
  const ParsedSource parsed = parse_text(
      "'''doc'''\nimport  os # why\nclass A:\n  \"doc\"\ndef f( a,b = 'x' ):\n    \"doc\"\n    return (a+(b))\n", true);
  ASSERT_TRUE(parsed.tree);
  EXPECT_EQ(parsed.normal, "import os\n\nclass A:\n    pass\n\ndef f(a, b='x'):\n    return a + b");
  EXPECT_TRUE(parse_text("x=1").normal.empty());
}

// A text that kills, stops or overfills the parser costs its own answer and nobody else's.
TEST(SyntaxReader, SurvivesItsTexts) {
  std::string deep(5'000, '('), deeper, wide = "x = [";
  for (int i = 0; i < 3'000; ++i) deeper += "a.b(";
  for (int i = 0; i < 3'000; ++i) deeper += ")";
  std::string minus = "x = ";
  for (int i = 0; i < 200'000; ++i) minus += "-";
  minus += "1";
  std::string chain = "x = 1";
  for (int i = 0; i < 100'000; ++i) chain += "+1";
  for (int i = 0; i < 300'000; ++i) wide += "1,";
  wide += "]";
  const std::vector<std::string> texts = {"a = 1", deep,    "b = 2", deeper, "c = 3",
                                          minus,   "d = 4", chain,   wide,   "e = 5"};
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  const std::vector<ParsedSource> parsed = test_syntax().parse(views, true);
  ASSERT_EQ(parsed.size(), texts.size());
  for (const std::size_t good : {0, 2, 4, 6, 9}) EXPECT_TRUE(parsed[good].tree) << good << ": " << parsed[good].error;
  for (const std::size_t bad : {1, 3, 5, 7}) {
    EXPECT_FALSE(parsed[bad].tree) << bad;
    EXPECT_FALSE(parsed[bad].error.empty()) << bad;
  }
}

TEST(SyntaxReader, GivesUpInTime) {
  SyntaxReaderOptions options = test_syntax_options();
  options.policy.wall_ms = 50;
  SyntaxReader reader(options);
  std::string slow = "x = [";
  for (int i = 0; i < 300'000; ++i) slow += "a[i] + 1, ";
  slow += "]";
  const std::string_view texts[] = {"a = 1", slow, "b = 2"};
  const std::vector<ParsedSource> parsed = reader.parse(texts);
  EXPECT_TRUE(parsed[0].tree) << parsed[0].error;
  EXPECT_FALSE(parsed[1].tree);
  EXPECT_NE(parsed[1].error.find("took longer"), std::string::npos) << parsed[1].error;
  EXPECT_TRUE(parsed[2].tree) << parsed[2].error;
}

}  // namespace
}  // namespace tritonrl::python
