#include "teacher/writer/host_lines.h"

namespace tritonrl::teacher {
int main_leaf(const Graph& graph) {
  for (std::size_t i = 0; i < graph.leaves.size(); ++i) {
    const Leaf& leaf = graph.leaves[i];
    if (leaf.fact.is_tensor() && !leaf.whole && leaf.fact.shape == graph.full) return static_cast<int>(i);
  }
  return -1;
}

std::string host_function(const Graph& graph, const Lines& lines) {
  std::vector<std::string> names;
  for (const Leaf& leaf : graph.leaves) names.push_back(leaf.name);
  return "def FUSED(" + joined(names) + "):\n" + lines.text();
}

void add_contiguous(const Graph& graph, const std::vector<bool>& used, Lines& lines) {
  for (std::size_t i = 0; i < graph.leaves.size(); ++i) {
    const Leaf& leaf = graph.leaves[i];
    if (!used[i] || !leaf.fact.is_tensor() || (!leaf.whole && count(leaf.fact.shape) == 1)) continue;
    lines.add(leaf.name + " = " + leaf.name + ".contiguous()");
  }
}

std::string allocation(const Graph& graph, const std::string& holder, program::DType holder_type, program::DType wanted,
                       const std::string& shape) {
  std::string type;
  if (wanted != holder_type) {
    type = "torch." + std::string(to_string(wanted));
    for (const Leaf& leaf : graph.leaves) {
      if (leaf.fact.is_tensor() && leaf.fact.dtype == wanted && program::is_floating(wanted)) {
        type = leaf.name + ".dtype";
        break;
      }
    }
    type = ", dtype=" + type;
  }
  if (shape.empty()) return "torch.empty_like(" + holder + type + ")";
  return holder + ".new_empty(" + shape + type + ")";
}

std::string output_name(std::size_t index, std::size_t count) {
  return count == 1 ? "dst" : "dst" + std::to_string(index + 1);
}

std::vector<bool> used_leaves(const Graph& graph, const std::vector<bool>& needed) {
  std::vector<bool> used(graph.leaves.size(), false);
  for (std::size_t i = 0; i < graph.steps.size(); ++i) {
    if (needed[i] && graph.steps[i].kind == Step::Kind::kLeaf)
      used[static_cast<std::size_t>(graph.steps[i].leaf)] = true;
  }
  for (std::size_t i = 0; i < graph.leaves.size(); ++i) used[i] = used[i] || graph.leaves[i].whole;
  return used;
}

}  // namespace tritonrl::teacher
