#include "teacher/typing/infer_facts.h"

#include "teacher/typing/fact_rules.h"

namespace tritonrl::teacher {
namespace {

std::string dotted(const syntax::SyntaxNode& node) {
  if (node.is("Name")) return std::string(node.text("id"));
  if (node.is("Attribute") && node.node("value") != nullptr) {
    return dotted(*node.node("value")) + "." + std::string(node.text("attr"));
  }
  if (node.is("Call") && node.node("func") != nullptr) return dotted(*node.node("func")) + "(...)";
  if (node.is("Subscript") && node.node("value") != nullptr) return dotted(*node.node("value")) + "[...]";
  return std::string(node.kind);
}

}  // namespace

Inferred infer_facts(const syntax::SyntaxNode& module, std::string_view entry_point, const InferOptions& options) {
  Inferred inferred;
  const std::string entry(entry_point);
  inferred.forward = abstract::forward_operators(module, entry);
  FactRules rules(options);
  const abstract::ForwardOperators followed = abstract::forward_operators(module, entry, &rules);
  if (const syntax::SyntaxNode* missing = rules.missing()) {
    inferred.missing = "line " + std::to_string(missing->line) + ": " + dotted(*missing);
  }
  inferred.complete = inferred.missing.empty() && !followed.entry_point.empty() && followed.has_inputs;
  inferred.facts = rules.take_facts();
  return inferred;
}

}  // namespace tritonrl::teacher
