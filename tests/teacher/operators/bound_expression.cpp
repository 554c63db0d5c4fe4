#include "tests/teacher/operators/bound_expression.h"

#include "base/check.h"
#include "syntax/parse.h"

namespace tritonrl::teacher {
namespace {

using syntax::SyntaxNode;

// "torch.nn.functional.gelu" of F.gelu; empty: it does not start at torch.
std::string path_of(const SyntaxNode& callee) {
  if (callee.is("Name")) {
    const std::string_view id = callee.text("id");
    if (id == "F") return "torch.nn.functional";
    return id == "torch" ? "torch" : "";
  }
  if (!callee.is("Attribute")) return {};
  const std::string base = path_of(*callee.node("value"));
  return base.empty() ? "" : base + "." + std::string(callee.text("attr"));
}

}  // namespace

BoundExpression::BoundExpression(std::string_view text, const NamedFacts& names) {
  const syntax::Parsed parsed = syntax::parse(text, arena_);
  TRL_CHECK(parsed.module != nullptr && parsed.module->nodes("body").size() == 1,
            "no expression: " + std::string(text));
  const SyntaxNode* statement = parsed.module->nodes("body")[0];
  expression_ = statement->is("Expr") ? statement->node("value") : statement;
  note_names(*expression_, names);
  if (expression_->is("Attribute")) {
    bound_ = bind_attribute(*expression_, facts_);
    return;
  }
  if (!expression_->is("Call")) {
    bound_ = bind_sign(*expression_, facts_);
    return;
  }
  const SyntaxNode* callee = expression_->node("func");
  const Fact* fact = facts_.of(callee);
  if (fact != nullptr && fact->kind == Fact::Kind::kModule) {
    bound_ = bind_module(*expression_, facts_);
    return;
  }
  const std::string path = path_of(*callee);
  bound_ = bind_call(*expression_, path.empty() ? "." + std::string(callee->text("attr")) : path, facts_);
}

void BoundExpression::note_names(const SyntaxNode& node, const NamedFacts& names) {
  if (node.is("Name")) {
    for (const auto& [name, fact] : names) {
      if (node.text("id") == name) facts_.set(&node, fact);
    }
  }
  for (const auto& [name, value] : node.fields) {
    if (const auto* child = std::get_if<const SyntaxNode*>(&value); child != nullptr && *child != nullptr) {
      note_names(**child, names);
    }
    if (const auto* children = std::get_if<std::vector<const SyntaxNode*>>(&value)) {
      for (const SyntaxNode* child : *children) {
        if (child != nullptr) note_names(*child, names);
      }
    }
  }
}

std::string words(const std::vector<Fact>& facts) {
  if (facts.empty()) return "?";
  std::string out;
  for (const Fact& fact : facts) {
    if (!out.empty()) out += "; ";
    if (!fact.is_tensor()) {
      out += "?";
      continue;
    }
    out += std::string(program::to_string(fact.dtype)) + "[";
    for (std::size_t i = 0; i < fact.shape.size(); ++i) out += (i == 0 ? "" : ", ") + std::to_string(fact.shape[i]);
    out += "]";
  }
  return out;
}

}  // namespace tritonrl::teacher
