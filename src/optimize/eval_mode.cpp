#include "optimize/eval_mode.h"

#include <algorithm>

#include "base/error.h"
#include "syntax/parse.h"
#include "syntax/unparse.h"

namespace tritonrl::optimize {
namespace {

using syntax::SyntaxArena;
using syntax::SyntaxNode;
using Nodes = std::vector<const SyntaxNode*>;

// For a class that has none of its own.
constexpr const char* kConstructor =
    "def __init__(self, *args, **kwargs):\n    super().__init__(*args, **kwargs)\n    self.eval()\n";

const SyntaxNode* with_body(const SyntaxNode& node, const Nodes& body, SyntaxArena& arena) {
  SyntaxNode& out = arena.copy(node);
  for (auto& [field, value] : out.fields) {
    if (field == "body") value = body;
  }
  return &out;
}

const SyntaxNode* evaluated(const SyntaxNode& constructor, SyntaxArena& arena) {
  const Nodes& parameters = constructor.node("args")->nodes("args");
  const std::string_view self = parameters.empty() ? std::string_view("self") : parameters[0]->text("arg");
  Nodes body = constructor.nodes("body");
  body.push_back(arena.filled("Expr", "value", arena.call(arena.attribute(arena.name(self), "eval"), {})));
  return with_body(constructor, body, arena);
}

}  // namespace

std::string in_eval_mode(const std::string& text, const std::string& cls) {
  SyntaxArena arena;
  const syntax::Parsed parsed = syntax::parse(text, arena);
  if (parsed.module == nullptr)
    throw base::UserError("optimize", cls + ": --eval cannot read its text (" + parsed.error +
                                          "); call self.eval() at " + "the end of its constructor instead");
  bool found = false;
  Nodes statements = parsed.module->nodes("body");
  for (const SyntaxNode*& statement : statements) {
    if (!statement->is("ClassDef") || statement->text("name") != cls) continue;
    found = true;
    Nodes body = statement->nodes("body");
    const auto constructor = std::find_if(body.begin(), body.end(), [](const SyntaxNode* member) {
      return member->is("FunctionDef") && member->text("name") == "__init__";
    });
    if (constructor == body.end()) {
      body.insert(body.begin(), syntax::parse(kConstructor, arena).module->nodes("body")[0]);
    } else {
      *constructor = evaluated(**constructor, arena);
    }
    statement = with_body(*statement, body, arena);
  }
  if (!found) throw base::UserError("optimize", cls + ": --eval finds no class of that name at the top of its file");
  return syntax::unparse(*arena.module(std::move(statements)));
}

}  // namespace tritonrl::optimize
