#include <utility>

#include "teacher/writer/forms.h"
#include "teacher/writer/host_lines.h"
#include "teacher/writer/kernel_builder.h"

namespace tritonrl::teacher {
namespace {

// How the host function calls the source operator's arguments. A default is spelled out.
std::vector<NamedArgument> source_arguments(const Graph& graph) {
  std::vector<NamedArgument> out;
  const Bound& bound = *graph.source_op;
  std::string_view previous;
  std::size_t place = 0;  // among the nodes of one parameter
  for (const std::string_view parameter : source_parameters(bound)) {
    const Bound::Argument* argument = bound.find(parameter);
    place = std::exchange(previous, parameter) == parameter ? place + 1 : 0;
    const syntax::SyntaxNode* node = place < argument->nodes.size() ? argument->nodes[place] : argument->node;
    std::string name;
    for (const Leaf& leaf : graph.leaves) {
      const bool same = node != nullptr ? (leaf.node == nullptr || leaf.node == node) && leaf.path.empty()
                                        : leaf.node == bound.module && leaf.path == argument->attribute &&
                                              !argument->attribute.empty();
      if (leaf.whole && same) name = leaf.name;
    }
    if (name.empty() && argument->fact.kind != Fact::Kind::kNone) name = constant_text(argument->fact);
    out.push_back({parameter, name});
  }
  return out;
}

}  // namespace

std::string constant_text(const Fact& fact) {
  switch (fact.kind) {
    case Fact::Kind::kInt:
      return std::to_string(fact.integer);
    case Fact::Kind::kBool:
      return fact.integer != 0 ? "True" : "False";
    case Fact::Kind::kList: {
      std::vector<std::string> items;
      for (const Fact& item : fact.items) items.push_back(constant_text(item));
      return items.size() == 1 ? "(" + items[0] + ",)" : "(" + joined(items) + ")";
    }
    default:
      return "None";
  }
}

std::optional<RegionText> pointwise_text(const Graph& graph, const std::vector<RegionOutput>& outputs,
                                         const Schedule& schedule) {
  std::vector<int> steps;
  for (const RegionOutput& output : outputs) steps.push_back(output.step);
  const std::vector<bool> needed = needed_steps(graph, steps);
  const std::vector<bool> used = used_leaves(graph, needed);
  RegionText out{.kind = "pointwise"};
  KernelBuilder kernel(graph, "KERNEL", schedule);
  Lines host;
  add_contiguous(graph, used, host);

  std::string grid;
  std::optional<SourceKernel> source;
  const std::string first = output_name(0, outputs.size());
  std::string holder;
  program::DType holder_type = program::DType::kFloat32;
  std::string shape;
  if (graph.source >= 0) {
    source = source_kernel(*graph.source_op, source_arguments(graph), schedule);
    if (!source) return std::nullopt;
    out.kind = graph.source_op->op->name;
    if (schedule.variant == Variant::kFast) {
      const std::optional<SourceKernel> plain =
          source_kernel(*graph.source_op, source_arguments(graph), Variant::kCanonical);
      if (plain && plain->kernel != source->kernel) out.variant = "tiles";
    }
    for (const std::string& line : source->host) host.add(line);
    holder = source->operands.front();
    shape = source->shape;
    for (const Leaf& leaf : graph.leaves) {
      if (leaf.name == holder) holder_type = leaf.fact.dtype;
    }
    out.taken = source->taken;
  } else if (const int main = main_leaf(graph); main >= 0) {
    holder = graph.leaves[static_cast<std::size_t>(main)].name;
    holder_type = graph.leaves[static_cast<std::size_t>(main)].fact.dtype;
  } else {
    std::vector<std::string> shapes;
    for (std::size_t i = 0; i < graph.leaves.size(); ++i) {
      const Leaf& leaf = graph.leaves[i];
      if (!used[i] || !leaf.fact.is_tensor()) continue;
      if (leaf.channel) return std::nullopt;
      if (holder.empty()) {
        holder = leaf.name;
        holder_type = leaf.fact.dtype;
      }
      shapes.push_back(leaf.name + ".shape");
    }
    if (shapes.empty()) return std::nullopt;
    shape = "torch.broadcast_shapes(" + joined(shapes) + ")";
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    host.add(output_name(i, outputs.size()) + " = " + allocation(graph, holder, holder_type, outputs[i].dtype, shape));
  }

  std::vector<Access> accesses(graph.leaves.size());
  for (std::size_t i = 0; i < graph.leaves.size(); ++i) {
    const Leaf& leaf = graph.leaves[i];
    if (!used[i] || leaf.whole || !leaf.fact.is_tensor()) continue;
    accesses[i] = access_of(aligned_shape(leaf, graph.full), graph.full);
    if (accesses[i].kind != Access::Kind::kExpand) continue;
    host.add(leaf.name + " = " + leaf.name + ".expand_as(" + first + ").contiguous()");
    accesses[i] = {};
  }

  if (!source) {
    out.taken.block = schedule.block.value_or(1024);
    out.taken.warps = schedule.warps;
  }
  Lines& lines = kernel.lines();
  if (source) {
    for (const std::string& name : source->operands) kernel.pointer(name, name);
  }
  // Parameters stand in the order of the host function's, outputs behind them.
  for (std::size_t i = 0; i < graph.leaves.size(); ++i) {
    if (used[i] && !graph.leaves[i].whole && graph.leaves[i].fact.is_tensor()) {
      kernel.pointer(graph.leaves[i].name, graph.leaves[i].name);
    }
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::string name = output_name(i, outputs.size());
    kernel.pointer(name, name);
  }
  if (source) {
    for (const auto& [name, value] : source->arguments) kernel.size(name, value);
    for (const std::string& line : source->kernel) lines.add(line);
  } else {
    host.add("n = " + first + ".numel()");
    lines.add("o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)");
    lines.add("m = o < n");
  }
  for (std::size_t i = 0; i < graph.leaves.size(); ++i) {
    if (used[i] && !graph.leaves[i].whole) kernel.load(graph.leaves[i], accesses[i], "o", "m", first);
  }
  for (std::size_t i = 0; i < graph.steps.size(); ++i) {
    if (!needed[i] || graph.steps[i].kind != Step::Kind::kPointwise) continue;
    lines.add(graph.steps[i].name + " = " + step_text(graph, static_cast<int>(i)));
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    lines.add("tl.store(" + output_name(i, outputs.size()) + "_ptr + o, " + operand_text(graph, outputs[i].step) +
              ", mask=m)");
  }
  if (source) {
    for (const auto& [name, value] : source->constants) kernel.constant(name, value);
    grid = source->grid;
  } else {
    kernel.size("n", "n");
    const std::string block = std::to_string(*out.taken.block);
    kernel.constant("BLOCK", block);
    grid = "(triton.cdiv(n, " + block + "),)";
  }
  kernel.launch(host, grid, out.taken.launch_options());
  std::vector<std::string> names;
  for (std::size_t i = 0; i < outputs.size(); ++i) names.push_back(output_name(i, outputs.size()));
  host.add(names.size() == 1 ? "return " + names[0] : "return (" + joined(names) + ")");
  out.kernels.push_back(kernel.function());
  out.host = host_function(graph, host);
  return out;
}

}  // namespace tritonrl::teacher
