#include "tests/teacher/traced/traced_module.h"

#include <algorithm>
#include <sstream>
#include <vector>

#include "teacher/traced/traced_facts.h"
#include "tests/python/test_recorder.h"
#include "tests/python/test_syntax.h"

namespace tritonrl::teacher {
namespace {

using syntax::SyntaxNode;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

std::string excerpt(const std::vector<std::string>& lines, const SyntaxNode& node) {
  if (node.line < 1 || node.end_line > static_cast<int>(lines.size())) return "";
  const std::string& first = lines[static_cast<std::size_t>(node.line - 1)];
  const auto begin = static_cast<std::size_t>(node.column);
  if (node.end_line != node.line) return first.substr(begin) + " …";
  return first.substr(begin, static_cast<std::size_t>(node.end_column) - begin);
}

void nodes_of(const SyntaxNode& node, std::vector<const SyntaxNode*>& out) {
  out.push_back(&node);
  for (const auto& [name, value] : node.fields) {
    if (const auto* one = std::get_if<const SyntaxNode*>(&value)) {
      if (*one != nullptr) nodes_of(**one, out);
    } else if (const auto* several = std::get_if<std::vector<const SyntaxNode*>>(&value)) {
      for (const SyntaxNode* each : *several) {
        if (each != nullptr) nodes_of(*each, out);
      }
    }
  }
}

std::vector<const SyntaxNode*> nodes_of(const TracedModule& module) {
  std::vector<const SyntaxNode*> out;
  if (module.tree) nodes_of(module.tree->root(), out);
  return out;
}

}  // namespace

TracedModule trace_module(const std::string& source, const std::string& entry_point) {
  TracedModule out;
  python::ParsedSource original = python::parse_text(source, /*normalise=*/true);
  if (!original.tree) {
    out.error = original.error;
    return out;
  }
  out.normal = original.normal;
  python::ParsedSource normal = python::parse_text(out.normal);
  out.tree = std::move(normal.tree);
  python::ExpressionTracer tracer(python::test_recorder(), program::find_target("h200"));
  out.outcome = tracer.trace({.id = "task.py", .source = out.normal, .entry_point = entry_point});
  if (!out.outcome.traced) {
    out.error = out.outcome.phase + ": " + out.outcome.exception + ": " + out.outcome.message + " (line " +
                std::to_string(out.outcome.line) + ")";
  } else if (out.tree) {
    out.facts = traced_facts(out.tree->root(), out.outcome);
  }
  return out;
}

const SyntaxNode* find_expression(const TracedModule& module, const std::string& text) {
  const std::vector<std::string> lines = lines_of(module.normal);
  for (const SyntaxNode* node : nodes_of(module)) {
    if (excerpt(lines, *node) == text && !node->is("Expr") && !node->is("arg")) return node;
  }
  return nullptr;
}

std::string describe(const Fact& fact) {
  std::string out;
  const auto constant = [&](const std::string& value) { return fact.constant ? " " + value : std::string(); };
  switch (fact.kind) {
    case Fact::Kind::kUnknown:
      return "unknown";
    case Fact::Kind::kTensor:
      out = std::string(program::to_string(fact.dtype)) + "[";
      for (std::size_t i = 0; i < fact.shape.size(); ++i) out += (i > 0 ? ", " : "") + std::to_string(fact.shape[i]);
      return out + "]";
    case Fact::Kind::kInt:
      return "int" + constant(std::to_string(fact.integer));
    case Fact::Kind::kFloat: {
      std::ostringstream number;
      number << fact.number;
      return "float" + constant(number.str());
    }
    case Fact::Kind::kBool:
      return "bool" + constant(fact.integer != 0 ? "True" : "False");
    case Fact::Kind::kText:
      return "text" + constant("'" + fact.text + "'");
    case Fact::Kind::kNone:
      return "None";
    case Fact::Kind::kModule:
      out = fact.text.empty() ? "module" : fact.text;
      if (fact.attributes.empty()) return out;
      out += "{";
      for (const auto& [name, value] : fact.attributes)
        out += (out.back() == '{' ? "" : ", ") + name + ": " + describe(value);
      return out + "}";
    case Fact::Kind::kList:
      out = "(";
      for (const Fact& item : fact.items) out += (out.size() == 1 ? "" : ", ") + describe(item);
      return out + ")";
    case Fact::Kind::kOther:
      return fact.text.empty() ? "other" : "other " + fact.text;
  }
  return "";
}

std::string describe(const TracedModule& module) {
  const std::vector<std::string> lines = lines_of(module.normal);
  std::vector<const SyntaxNode*> nodes = nodes_of(module);
  std::stable_sort(nodes.begin(), nodes.end(), [](const SyntaxNode* a, const SyntaxNode* b) {
    return std::pair(a->line, a->column) < std::pair(b->line, b->column);
  });
  std::string out;
  for (const SyntaxNode* node : nodes) {
    const Fact* fact = module.facts.of(node);
    if (fact == nullptr) continue;
    out += std::to_string(node->line) + ":" + std::to_string(node->column) + " " + excerpt(lines, *node) + " = " +
           describe(*fact) + "\n";
  }
  return out;
}

}  // namespace tritonrl::teacher
