#include <algorithm>

#include "teacher/reader/rewriter.h"

namespace tritonrl::teacher {
namespace {

std::string last_part(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  return std::string(dot == std::string_view::npos ? path : path.substr(dot + 1));
}

// What the text calls it: the variable, the attribute; empty: an expression.
std::string given_name(const Leaf& leaf) {
  if (!leaf.path.empty()) return last_part(leaf.path);
  if (leaf.node == nullptr) return {};
  if (leaf.node->is("Name")) return std::string(leaf.node->text("id"));
  if (leaf.node->is("Attribute")) return std::string(leaf.node->text("attr"));
  return {};
}

// The parameter of the source operator that the leaf is.
std::string parameter_name(const Graph& graph, const Leaf& leaf) {
  for (const Bound::Argument& argument : graph.source_op->arguments) {
    const bool same = argument.node != nullptr
                          ? (leaf.node == nullptr || argument.node == leaf.node) && leaf.path.empty()
                          : !leaf.path.empty() && argument.attribute == leaf.path;
    if (same) return argument.parameter == "input" ? "x" : std::string(argument.parameter);
    if (std::find(argument.nodes.begin(), argument.nodes.end(), leaf.node) != argument.nodes.end()) return "x";
  }
  return "x";
}

}  // namespace

void Rewriter::name_leaves(Graph& graph) const {
  int tensors = 0;
  for (const Leaf& leaf : graph.leaves) tensors += leaf.fact.is_tensor() ? 1 : 0;
  int expressions = 0;
  std::vector<std::string> names;
  for (Leaf& leaf : graph.leaves) {
    std::string name;
    if (leaf.whole) {
      name = parameter_name(graph, leaf);
    } else {
      name = given_name(leaf);
      const bool number = leaf.is_number();
      if (name.empty()) name = (number ? "s" : "t") + std::to_string(++expressions);
      if (tensors == 1 && !number) name = "x";  // the same kernel for the same formula, whatever the variable is called
      if (is_taken_name(name) || graph.source >= 0 || name.front() == '_') name += "_in";
      if (name.front() == '_') name = "t" + name;
    }
    const std::string stem = name;
    for (int i = 2; std::find(names.begin(), names.end(), name) != names.end(); ++i)
      name = stem + "_" + std::to_string(i);
    names.push_back(name);
    leaf.name = name;
  }
}

}  // namespace tritonrl::teacher
