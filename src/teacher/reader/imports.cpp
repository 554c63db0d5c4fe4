#include "teacher/reader/imports.h"

#include <algorithm>

namespace tritonrl::teacher {

using syntax::SyntaxNode;

Imports::Imports(const SyntaxNode& module) {
  identifiers_.reserve(512);
  walk(module, [this](const SyntaxNode& node) { read(node); });
}

bool Imports::has_identifier(std::string_view name) const {
  return std::find(identifiers_.begin(), identifiers_.end(), name) != identifiers_.end();
}

void Imports::read(const SyntaxNode& node) {
  const char* named =
      node.is("Name")                        ? "id"
      : node.is("Attribute")                 ? "attr"
      : node.is("arg") || node.is("keyword") ? "arg"
      : node.is("FunctionDef") || node.is("ClassDef") || node.is("AsyncFunctionDef") || node.is("ExceptHandler")
          ? "name"
          : nullptr;
  if (named != nullptr) {
    if (const std::string_view text = node.text(named); !text.empty()) identifiers_.push_back(text);
    return;
  }
  if (node.is("Import")) {
    for (const SyntaxNode* alias : node.nodes("names")) {
      const std::string_view path = alias->text("name");
      if (const std::string_view as = alias->text("asname"); !as.empty()) {
        aliases_[std::string(as)] = path;
        identifiers_.push_back(as);
      } else {
        const std::string_view first = path.substr(0, path.find('.'));
        aliases_[std::string(first)] = first;
        identifiers_.push_back(first);
      }
    }
  } else if (node.is("ImportFrom")) {
    for (const SyntaxNode* alias : node.nodes("names")) {
      const std::string_view as = alias->text("asname").empty() ? alias->text("name") : alias->text("asname");
      aliases_[std::string(as)] = std::string(node.text("module")) + "." + std::string(alias->text("name"));
      identifiers_.push_back(as);
    }
  }
}

std::string Imports::path_of(const SyntaxNode* expression) const {
  if (expression == nullptr) return {};
  if (expression->is("Name")) {
    const auto found = aliases_.find(expression->text("id"));
    return found == aliases_.end() ? std::string() : found->second;
  }
  if (!expression->is("Attribute")) return {};
  std::string base = path_of(expression->node("value"));
  return base.empty() ? base : base + "." + std::string(expression->text("attr"));
}

}  // namespace tritonrl::teacher
