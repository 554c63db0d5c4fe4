#include "teacher/writer/row_kernel.h"

#include <algorithm>

#include "teacher/writer/host_lines.h"

namespace tritonrl::teacher {
namespace {

std::vector<int> steps_of(const std::vector<RegionOutput>& outputs) {
  std::vector<int> out;
  for (const RegionOutput& output : outputs) out.push_back(output.step);
  return out;
}

}  // namespace

RowPlan::RowPlan(const Graph& graph, const std::vector<RegionOutput>& outputs) : graph_(graph), outputs_(outputs) {
  needed_ = needed_steps(graph, steps_of(outputs));
  used_ = used_leaves(graph, needed_);
  for (std::size_t i = 0; i < graph.steps.size(); ++i) {
    if (needed_[i] && graph.steps[i].kind == Step::Kind::kReduce) depth_ = std::max(depth_, graph.steps[i].depth);
  }
  for (const RegionOutput& output : outputs) {
    const Domain domain = graph.steps[static_cast<std::size_t>(output.step)].domain;
    (domain == Domain::kFull ? has_full_output_ : has_row_output_) = true;
  }
}

std::vector<int> RowPlan::reductions(int depth) const {
  std::vector<int> out;
  for (std::size_t i = 0; i < graph_.steps.size(); ++i) {
    const Step& step = graph_.steps[i];
    if (needed_[i] && step.kind == Step::Kind::kReduce && step.depth == depth) out.push_back(static_cast<int>(i));
  }
  return out;
}

void RowPlan::collect(int index, std::vector<bool>& wanted) const {
  const Step& step = graph_.steps[static_cast<std::size_t>(index)];
  if (step.domain != Domain::kFull || wanted[static_cast<std::size_t>(index)]) return;
  wanted[static_cast<std::size_t>(index)] = true;
  for (const int operand : step.operands) collect(operand, wanted);
}

std::vector<int> RowPlan::elements_for(const std::vector<int>& targets) const {
  std::vector<bool> wanted(graph_.steps.size(), false);
  for (const int target : targets) {
    const Step& step = graph_.steps[static_cast<std::size_t>(target)];
    if (step.kind == Step::Kind::kReduce) {
      for (const int operand : step.operands) collect(operand, wanted);
    } else {
      collect(target, wanted);
    }
  }
  std::vector<int> leaves, computed;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Step::Kind kind = graph_.steps[i].kind;
    if (!wanted[i] || kind == Step::Kind::kPlace) continue;
    (kind == Step::Kind::kLeaf ? leaves : computed).push_back(static_cast<int>(i));
  }
  leaves.insert(leaves.end(), computed.begin(), computed.end());
  return leaves;
}

std::vector<int> RowPlan::row_steps(int depth) const {
  std::vector<int> out;
  for (std::size_t i = 0; i < graph_.steps.size(); ++i) {
    const Step& step = graph_.steps[i];
    const bool computed = step.kind == Step::Kind::kPointwise || step.kind == Step::Kind::kLeaf;
    if (needed_[i] && computed && step.domain != Domain::kFull && step.depth == depth)
      out.push_back(static_cast<int>(i));
  }
  return out;
}

std::vector<int> RowPlan::full_outputs() const {
  std::vector<int> out;
  for (const RegionOutput& output : outputs_) {
    if (graph_.steps[static_cast<std::size_t>(output.step)].domain == Domain::kFull) out.push_back(output.step);
  }
  return out;
}

std::vector<int> RowPlan::row_outputs() const {
  std::vector<int> out;
  for (const RegionOutput& output : outputs_) {
    if (graph_.steps[static_cast<std::size_t>(output.step)].domain != Domain::kFull) out.push_back(output.step);
  }
  return out;
}

void begin_scan(const Graph& graph, int index, const std::string& rows, Lines& lines) {
  const Step& step = graph.steps[static_cast<std::size_t>(index)];
  const std::string start = step.text == "cumprod" ? "1.0" : "0.0";
  lines.add("carry_" + step.name + " = " + (rows.empty() ? start : "tl.full(" + rows + ", " + start + ", tl.float32)"));
}

void add_scan(const Graph& graph, int index, const std::string& axis, const Spread& spread, bool loops, Lines& lines) {
  const Step& step = graph.steps[static_cast<std::size_t>(index)];
  const std::string value = operand_text(graph, step.operands[0]);
  const std::string part = "part_" + step.name, carry = "carry_" + step.name;
  const bool product = step.text == "cumprod";
  lines.add(part + " = tl.where(m, " + value + ", " + (product ? "1.0" : "0.0") + ")");
  const std::string scanned = std::string("tl.") + (product ? "cumprod(" : "cumsum(") + part + ", " + axis + ")";
  if (!loops) {
    lines.add(step.name + " = " + scanned);
    return;
  }
  lines.add(step.name + " = " + scanned + (product ? " * " : " + ") + carry + spread.row);
  lines.add(carry + (product ? " *= tl.reduce(" + part + ", " + axis + ", multiply)"
                             : " += tl.sum(" + part + ", " + axis + ")"));
}

}  // namespace tritonrl::teacher
