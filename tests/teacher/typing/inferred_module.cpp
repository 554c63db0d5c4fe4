#include "tests/teacher/typing/inferred_module.h"

#include <gtest/gtest.h>

#include <sstream>
#include <vector>

namespace tritonrl::teacher {
namespace {

using syntax::SyntaxNode;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// The nodes with this text, in the order of the tree.
void find(const SyntaxNode& node, const std::vector<std::string>& lines, std::string_view wanted, int line,
          std::vector<const SyntaxNode*>* found) {
  const bool place = node.line > 0 && node.line == node.end_line && (line == 0 || node.line == line);
  const bool expression = !node.is("Expr") && !node.is("arg") && !node.is("Assign");
  if (place && expression && node.line <= static_cast<int>(lines.size())) {
    const std::string& own = lines[static_cast<std::size_t>(node.line - 1)];
    const auto from = static_cast<std::size_t>(node.column), to = static_cast<std::size_t>(node.end_column);
    if (to <= own.size() && std::string_view(own).substr(from, to - from) == wanted) found->push_back(&node);
  }
  for (const auto& [name, value] : node.fields) {
    if (const auto* one = std::get_if<const SyntaxNode*>(&value); one != nullptr && *one != nullptr) {
      find(**one, lines, wanted, line, found);
    }
    if (const auto* several = std::get_if<std::vector<const SyntaxNode*>>(&value)) {
      for (const SyntaxNode* each : *several) {
        if (each != nullptr) find(*each, lines, wanted, line, found);
      }
    }
  }
}

std::string indented(std::string_view lines) {
  std::string text = "        ";
  for (const char c : lines) {
    text += c;
    if (c == '\n') text += "        ";
  }
  return text + "\n";
}

}  // namespace

InferredModule::InferredModule(std::string text) : text_(std::move(text)) {
  const syntax::Parsed parsed = syntax::parse(text_, arena_);
  EXPECT_NE(parsed.module, nullptr) << parsed.error << ", line " << parsed.line << " of\n" << text_;
  if (parsed.module == nullptr) return;
  root_ = parsed.module;
  inferred_ = infer_facts(*root_, "Model");
}

const Fact* InferredModule::fact(std::string_view expression, int line) const {
  std::vector<const SyntaxNode*> found;
  if (root_ != nullptr) find(*root_, lines_of(text_), expression, line, &found);
  EXPECT_FALSE(found.empty()) << "no expression " << expression << " in\n" << text_;
  for (const SyntaxNode* node : found) {
    if (const Fact* known = inferred_.facts.of(node)) return known;
  }
  return nullptr;
}

std::string InferredModule::of(std::string_view expression, int line) const {
  const Fact* known = fact(expression, line);
  return known == nullptr ? "never" : show(*known);
}

std::string show(const Fact& fact) {
  const auto number = [](double value) {
    std::ostringstream out;
    out.precision(17);
    out << value;
    return out.str();
  };
  switch (fact.kind) {
    case Fact::Kind::kUnknown:
      return "unknown";
    case Fact::Kind::kTensor: {
      std::string text = std::string(program::to_string(fact.dtype)) + "[";
      for (std::size_t i = 0; i < fact.shape.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(fact.shape[i]);
      return text + "]";
    }
    case Fact::Kind::kInt:
      return fact.constant ? "int " + std::to_string(fact.integer) : "int";
    case Fact::Kind::kFloat:
      return fact.constant ? "float " + number(fact.number) : "float";
    case Fact::Kind::kBool:
      return fact.constant ? (fact.integer != 0 ? "True" : "False") : "bool";
    case Fact::Kind::kText:
      return "'" + fact.text + "'";
    case Fact::Kind::kNone:
      return "None";
    case Fact::Kind::kModule:
      return fact.text.empty() ? "module" : fact.text;
    case Fact::Kind::kList: {
      std::string text = "(";
      for (std::size_t i = 0; i < fact.items.size(); ++i) text += (i == 0 ? "" : ", ") + show(fact.items[i]);
      return text + ")";
    }
    case Fact::Kind::kOther:
      return "other";
  }
  return "";
}

std::string module_text(std::string_view constructor, std::string_view forward, std::string_view inputs,
                        std::string_view before) {
  std::string names, values;
  // "x=torch.randn(2), y=3": a name, and everything up to the next name.
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= inputs.size(); ++i) {
    if (i < inputs.size() && (inputs[i] == '(' || inputs[i] == '[' || inputs[i] == '{')) ++depth;
    if (i < inputs.size() && (inputs[i] == ')' || inputs[i] == ']' || inputs[i] == '}')) --depth;
    if (i < inputs.size() && (inputs[i] != ',' || depth > 0)) continue;
    std::string_view one = inputs.substr(begin, i - begin);
    while (one.starts_with(' ')) one.remove_prefix(1);
    names += ", " + std::string(one.substr(0, one.find('=')));
    values += (values.empty() ? "" : ", ") + std::string(one.substr(one.find('=') + 1));
    begin = i + 1;
  }
  return "import math\nimport torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n" + std::string(before) +
         "\nclass Model(nn.Module):\n\n    def __init__(self, width=8, deep=3):\n        super().__init__()\n" +
         indented(constructor.empty() ? "pass" : constructor) + "\n    def forward(self" + names + "):\n" +
         indented(forward) + "\ndef get_inputs():\n    return [" + values +
         "]\n\ndef get_init_inputs():\n    return [8, 3]\n";
}

}  // namespace tritonrl::teacher
