#include "syntax/pickle.h"

#include <gtest/gtest.h>

namespace tritonrl::syntax {
namespace {

base::Result<SyntaxTree> read(const std::string& bytes) {
  static const auto fields = std::make_shared<NodeFields>(
      NodeFields{{"Module", {"body", "type_ignores"}}, {"Name", {"id", "ctx"}}, {"Load", {}}});
  return tree_from_pickle(bytes, fields);
}

std::string text(const std::string& value) {
  return std::string("\x8c") + static_cast<char>(value.size()) + value;
}
std::string node_class(const std::string& name, const std::string& module = "ast") {
  return text(module) + text(name) + "\x93";
}

TEST(SyntaxPickle, ReadsStateAndConstructorArguments) {
  // Python up to 3.12 gives fields as state, later ones as arguments of the constructor.
  const auto state = read(node_class("Module") + ")R}" + text("body") + "]" + node_class("Name") + ")R}" + text("id") +
                          text("x") + "sbasb.");
  ASSERT_TRUE(state.ok()) << state.error();
  EXPECT_EQ(state.value().root().nodes("body").at(0)->text("id"), "x");
  const auto arguments =
      read(node_class("Module") + "]" + node_class("Name") + text("x") + node_class("Load") + ")R\x86" + "Ra]\x86R.");
  ASSERT_TRUE(arguments.ok()) << arguments.error();
  EXPECT_EQ(arguments.value().root().nodes("body").at(0)->text("id"), "x");
  EXPECT_TRUE(arguments.value().root().nodes("body").at(0)->node("ctx")->is("Load"));
}

TEST(SyntaxPickle, RefusesAnythingElse) {
  const std::pair<std::string, const char*> cases[] = {
      {"", "ends too early"},
      {"N.", "no syntax tree"},
      {".", "empty stack"},
      {node_class("system", "os") + ")R.", "which is no node"},
      {node_class("Unheard") + ")R.", "which is no node"},
      {node_class("Name") + ")R.", "no syntax tree"},
      {node_class("Module") + ")R", "ends too early"},
      {"X\xff\xff\xff\x7f.", "ends too early"},
      {"h\x05.", "did not keep"},
      {"a", "empty stack"},
      {"e", "no mark"},
      {"(K\x01u", "looks at an empty stack"},
      {"Nb", "another type"},
      {node_class("Load") + text("x") + "\x85R.", "more fields"},
      {"\x82", "which no tree needs"},
      {node_class("Module") + ")R}" + text("body") + "}sb.", "no node, list or constant"},
      {node_class("Module") + ")R}" + text("body") + "](NK\x01" + "esb.", "mixes nodes"},
  };
  for (const auto& [bytes, message] : cases) {
    const auto result = read(bytes);
    ASSERT_FALSE(result.ok()) << message;
    EXPECT_NE(result.error().find(message), std::string::npos) << result.error() << " instead of " << message;
  }
}

}  // namespace
}  // namespace tritonrl::syntax
