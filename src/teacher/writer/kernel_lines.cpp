#include "teacher/writer/kernel_lines.h"

namespace tritonrl::teacher {
namespace {

constexpr std::size_t kUsualText = 512;

}  // namespace

void Lines::add(std::string_view line) {
  if (text_.empty()) text_.reserve(kUsualText);
  text_.append(static_cast<std::size_t>(depth_) * 4, ' ').append(line).push_back('\n');
}

void Lines::begin(std::string_view line) {
  add(line);
  ++depth_;
}

std::string joined(const std::vector<std::string>& items) {
  std::size_t size = 0;
  for (const std::string& item : items) size += item.size() + 2;
  std::string out;
  out.reserve(size);
  for (const std::string& item : items) {
    if (!out.empty()) out += ", ";
    out += item;
  }
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
  out.reserve(step.text.size() + 16);
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

}  // namespace tritonrl::teacher
