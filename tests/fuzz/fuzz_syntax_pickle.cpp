// A syntax tree as the parser's process pickles it, from any bytes. A failure is an answer; a crash is a finding, and
// so is a tree whose nodes do not hold together. Seeds: pickle.dumps(ast.parse(text), 4).
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "syntax/pickle.h"

using namespace tritonrl;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto fields = [] {
    syntax::NodeFields names;
    for (const char* name :
         {"Add",     "AnnAssign", "Assign",     "Attribute", "BinOp",     "Call",           "ClassDef",
          "Compare", "Constant",  "Dict",       "Expr",      "For",       "FormattedValue", "FunctionDef",
          "If",      "Import",    "ImportFrom", "JoinedStr", "List",      "Load",           "Module",
          "Mult",    "Name",      "Return",     "Starred",   "Store",     "Subscript",      "Tuple",
          "USub",    "UnaryOp",   "alias",      "arg",       "arguments", "keyword"})
      names[name] = {"first", "second"};
    return std::make_shared<syntax::NodeFields>(names);
  }();
  const auto tree = syntax::tree_from_pickle(std::string(reinterpret_cast<const char*>(data), size), fields);
  if (!tree.ok()) return 0;
  const syntax::SyntaxNode& root = tree.value().root();
  TRL_CHECK(root.kind == "Module", "a tree's root");
  std::size_t total = 0;
  for (const auto& [name, value] : root.fields) total += name.size() + root.nodes(name).size() + root.text(name).size();
  for (const syntax::SyntaxNode* node : root.nodes("body"))
    total += node == nullptr ? 0 : node->kind.size() + node->fields.size();
  TRL_CHECK(total < (std::size_t{1} << 40), "sizes that can be");
  return 0;
}
