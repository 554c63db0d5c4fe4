#include "cli/model/task_prompt.h"

#include "abstract/forward_operators.h"
#include "syntax/parse.h"
#include "syntax/unparse.h"

namespace tritonrl::cli {
namespace {

using syntax::SyntaxArena;
using syntax::SyntaxNode;
using Nodes = std::vector<const SyntaxNode*>;

bool is_docstring(const SyntaxNode& statement) {
  const SyntaxNode* value = statement.is("Expr") ? statement.node("value") : nullptr;
  if (value == nullptr || !value->is("Constant")) return false;
  return std::holds_alternative<std::string>(*value->field("value"));
}

// As the normal form of training data: what documents a module, class or function is left out.
const SyntaxNode* without_docstrings(const SyntaxNode& node, SyntaxArena& arena) {
  SyntaxNode& out = arena.copy(node);
  const bool named = node.is("ClassDef") || node.is("FunctionDef") || node.is("AsyncFunctionDef");
  for (auto& [name, value] : out.fields) {
    Nodes* const list = std::get_if<Nodes>(&value);  // statements stand in lists
    if (list == nullptr) continue;
    if (name == "body" && (named || node.is("Module")) && !list->empty() && is_docstring(*list->front())) {
      list->erase(list->begin());
      if (list->empty() && named) list->push_back(SyntaxArena::bare("Pass"));
    }
    for (const SyntaxNode*& child : *list) {
      if (child != nullptr) child = without_docstrings(*child, arena);
    }
  }
  return &out;
}

}  // namespace

std::string task_prompt(const std::string& source, const text::PromptOptions& options, const std::string& entry_point,
                        std::span<const text::LeafFact> facts, bool strict) {
  SyntaxArena arena;
  const syntax::Parsed parsed = syntax::parse(source, arena);
  if (parsed.module == nullptr)
    return text::prompt({.code = source, .normal = {}, .entry_point = {}, .facts = facts, .strict = strict}, options);
  const std::string found = abstract::forward_operators(*parsed.module, entry_point).entry_point;
  const std::string normal = syntax::unparse(*without_docstrings(*parsed.module, arena));
  return text::prompt({.code = source, .normal = normal, .entry_point = found, .facts = facts, .strict = strict},
                      options);
}

}  // namespace tritonrl::cli
