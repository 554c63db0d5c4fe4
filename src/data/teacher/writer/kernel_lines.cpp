#include "data/teacher/writer/kernel_lines.h"

namespace tritonrl::data::teacher {

void Lines::add(std::string line) {
  lines_.push_back(std::string(static_cast<std::size_t>(depth_) * 4, ' ') + std::move(line));
}

void Lines::begin(std::string line) {
  add(std::move(line));
  ++depth_;
}

std::string Lines::text() const {
  std::string out;
  for (const std::string& line : lines_) out += line + "\n";
  return out;
}

std::string joined(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) out += (out.empty() ? "" : ", ") + item;
  return out;
}

std::string operand_text(const Graph& graph, int index) {
  const Step& step = graph.steps[static_cast<std::size_t>(index)];
  switch (step.kind) {
    case Step::Kind::kLeaf:
      return graph.leaves[static_cast<std::size_t>(step.leaf)].name;
    case Step::Kind::kLiteral:
      return step.text;
    case Step::Kind::kCount:
      return "n";
    case Step::Kind::kPlace:
      return "i";
    case Step::Kind::kBatch:
      return "batch";
    case Step::Kind::kPointwise:
    case Step::Kind::kReduce:
    case Step::Kind::kScan:
    case Step::Kind::kSource:
      return step.name;
  }
  return step.name;
}

std::string step_text(const Graph& graph, int index, const Spread& spread) {
  const Step& step = graph.steps[static_cast<std::size_t>(index)];
  std::string out;
  for (std::size_t i = 0; i < step.text.size(); ++i) {
    if (step.text[i] != '$') {
      out += step.text[i];
      continue;
    }
    const std::size_t which = static_cast<std::size_t>(step.text[++i] - '0');
    const Step& operand = graph.steps[static_cast<std::size_t>(step.operands[which])];
    out += operand_text(graph, step.operands[which]);
    if (step.domain != Domain::kFull) continue;
    if (operand.domain == Domain::kRow) out += spread.row;
    if (operand.kind == Step::Kind::kPlace) out += spread.place;
  }
  return out;
}

std::vector<bool> needed_steps(const Graph& graph, const std::vector<int>& outputs) {
  std::vector<bool> needed(graph.steps.size(), false);
  for (const int output : outputs) needed[static_cast<std::size_t>(output)] = true;
  for (std::size_t i = graph.steps.size(); i-- > 0;) {
    if (!needed[i]) continue;
    for (const int operand : graph.steps[i].operands) needed[static_cast<std::size_t>(operand)] = true;
  }
  return needed;
}

void name_steps(Graph& graph, const std::vector<int>& outputs) {
  const std::vector<bool> needed = needed_steps(graph, outputs);
  int number = 0;
  for (std::size_t i = 0; i < graph.steps.size(); ++i) {
    Step& step = graph.steps[i];
    const bool computed =
        step.kind == Step::Kind::kPointwise || step.kind == Step::Kind::kReduce || step.kind == Step::Kind::kScan;
    if (needed[i] && computed) step.name = "v" + std::to_string(++number);
  }
}

}  // namespace tritonrl::data::teacher
