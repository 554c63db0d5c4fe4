#include "data/prepare/source_names.h"

#include <string_view>

namespace tritonrl::data {
namespace {

using syntax::SyntaxNode;

template <class Visit>
void each_child(const SyntaxNode& node, const Visit& visit) {
  for (const auto& [name, value] : node.fields) {
    if (const auto* one = std::get_if<const SyntaxNode*>(&value)) {
      if (*one != nullptr) visit(name, **one);
    } else if (const auto* several = std::get_if<std::vector<const SyntaxNode*>>(&value)) {
      for (const SyntaxNode* each : *several) {
        if (each != nullptr) visit(name, *each);
      }
    }
  }
}

void read_names(const SyntaxNode& root, TopStatement& out) {
  std::vector<std::pair<const SyntaxNode*, bool>> pending = {{&root, false}};  // with: inside an annotation
  while (!pending.empty()) {
    const auto [node, annotation] = pending.back();
    pending.pop_back();
    if (node->is("Name")) {
      const SyntaxNode* context = node->node("ctx");
      if (context == nullptr || context->is("Load")) {
        (annotation ? out.annotations : out.used).emplace(node->text("id"));
      }
    }
    each_child(*node, [&, inside = annotation](std::string_view field, const SyntaxNode& child) {
      pending.emplace_back(&child, inside || field == "annotation" || field == "returns");
    });
  }
}

void bind_target(const SyntaxNode& target, std::vector<std::string>& out) {
  if (target.is("Name")) out.emplace_back(target.text("id"));
  for (const SyntaxNode* element : target.nodes("elts")) bind_target(*element, out);
}

void bind(const SyntaxNode& statement, std::vector<std::string>& out) {
  if (statement.is("FunctionDef") || statement.is("ClassDef") || statement.is("AsyncFunctionDef")) {
    out.emplace_back(statement.text("name"));
  } else if (statement.is("Assign")) {
    for (const SyntaxNode* target : statement.nodes("targets")) bind_target(*target, out);
  } else if (statement.is("AnnAssign") || statement.is("AugAssign")) {
    if (const SyntaxNode* target = statement.node("target")) bind_target(*target, out);
  } else if (statement.is("Import") || statement.is("ImportFrom")) {
    for (const SyntaxNode* alias : statement.nodes("names")) {
      const std::string_view other = alias->text("asname"), name = alias->text("name");
      out.emplace_back(!other.empty() ? other : statement.is("Import") ? name.substr(0, name.find('.')) : name);
    }
  } else {  // if, try, with, loops
    for (const char* field : {"body", "orelse", "finalbody"}) {
      for (const SyntaxNode* inner : statement.nodes(field)) bind(*inner, out);
    }
    for (const SyntaxNode* handler : statement.nodes("handlers")) {
      for (const SyntaxNode* inner : handler->nodes("body")) bind(*inner, out);
    }
  }
}

}  // namespace

SourceNames source_names(const SyntaxNode& module) {
  SourceNames out;
  for (const SyntaxNode* node : module.nodes("body")) {
    TopStatement& statement = out.statements.emplace_back();
    statement.node = node;
    bind(*node, statement.bound);
    read_names(*node, statement);
    for (const std::string& name : statement.bound) out.defined_by[name].push_back(out.statements.size() - 1);
  }
  return out;
}

std::string dotted_name(const SyntaxNode& node) {
  if (node.is("Name")) return std::string(node.text("id"));
  if (!node.is("Attribute") || node.node("value") == nullptr) return "";
  const std::string base = dotted_name(*node.node("value"));
  return base.empty() ? "" : base + "." + std::string(node.text("attr"));
}

}  // namespace tritonrl::data
