#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/tree.h"

namespace tritonrl::teacher {

// What a text's names mean, as far as its imports tell. Refers to the tree.
class Imports {
 public:
  explicit Imports(const syntax::SyntaxNode& module);

  // "torch.nn.functional.relu" of `F.relu`, or of `relu` that was imported from there; empty: it is no imported name.
  std::string path_of(const syntax::SyntaxNode* expression) const;
  // Every identifier of the text: names that are made must be others.
  bool has_identifier(std::string_view name) const;

 private:
  void read(const syntax::SyntaxNode& node);

  std::map<std::string, std::string, std::less<>> aliases_;
  // Of the tree, as they come: there are hundreds, and only a few questions are asked.
  std::vector<std::string_view> identifiers_;
};

// Calls visit for the node and everything below it.
template <typename Visit>
void walk(const syntax::SyntaxNode& node, const Visit& visit) {
  visit(node);
  for (const auto& [name, value] : node.fields) {
    if (const auto* child = std::get_if<const syntax::SyntaxNode*>(&value)) {
      if (*child != nullptr) walk(**child, visit);
    } else if (const auto* children = std::get_if<std::vector<const syntax::SyntaxNode*>>(&value)) {
      for (const syntax::SyntaxNode* each : *children) {
        if (each != nullptr) walk(*each, visit);
      }
    }
  }
}

}  // namespace tritonrl::teacher
