#include <algorithm>

#include "teacher/writer/forms.h"
#include "teacher/writer/reduction_lines.h"
#include "teacher/writer/row_host.h"

namespace tritonrl::teacher {
namespace {

// Long rows, or everything as one row. Each depth of reductions is a kernel that leaves partial results, one a program;
// the next kernel joins them again in every program, which is cheaper than a kernel of its own.
class SplitText {
 public:
  SplitText(const Graph& graph, const std::vector<RegionOutput>& outputs, const Schedule& schedule)
      : graph_(graph),
        outputs_(outputs),
        plan_(graph, outputs),
        host_(graph, outputs, plan_),
        schedule_(schedule),
        one_row_(graph.rows->form == RowSpec::Form::kAll) {
    Schedule& taken = out_.taken;
    if (!one_row_) taken.form = RowForm::kSplit;
    taken.parts = schedule.parts.value_or(one_row_ ? 1024 : 64);
    taken.block = schedule.block.value_or(1024);
    taken.warps = schedule.warps;
    block_ = std::to_string(*taken.block);
  }

  std::optional<RegionText> write() {
    if (!host_.begin()) return std::nullopt;
    Lines& lines = host_.lines();
    if (!one_row_) lines.add("count = " + host_.x() + ".numel() // n");
    lines.add("blocks = min(" + most_parts() + ", triton.cdiv(n, " + block_ + "))");
    for (int depth = 1; depth <= plan_.depth(); ++depth) {
      if (!write_partial(depth)) return std::nullopt;
    }
    host_.allocate();
    if (!write_last()) return std::nullopt;
    host_.give_back();
    out_.kind = one_row_ ? "full" : "split rows";
    out_.host = host_function(graph_, lines);
    return out_;
  }

 private:
  const Step& step_at(int index) const { return graph_.steps[static_cast<std::size_t>(index)]; }
  std::string most_parts() const { return std::to_string(*out_.taken.parts); }
  // The program's number among those of its row.
  std::string part_index() const { return one_row_ ? "p" : "q"; }
  std::string part_name(int reduction) const { return "part" + step_at(reduction).name.substr(1); }

  // `parts`: programs that share a row; empty: it has one. All are in the grid's first dimension, which alone may be
  // as large as rows are many.
  void begin_kernel(Lines& lines, const std::string& parts) const {
    if (one_row_ && parts.empty()) return;
    if (one_row_ || parts.empty()) {
      lines.add("p = tl.program_id(0)");
    } else {
      lines.add("p = tl.program_id(0) // " + parts);
      lines.add("q = tl.program_id(0) % " + parts);
    }
    if (!parts.empty() && host_.has_beginning()) lines.add(kRowBeginning);  // only rows' elements are found by it
  }

  // What kernels before this one found out, and what follows from it, as far as `targets` need it.
  void join_parts(KernelBuilder& kernel, int depth, const std::vector<int>& targets) {
    std::vector<bool> wanted(graph_.steps.size(), false);
    for (const int target : targets) wanted[static_cast<std::size_t>(target)] = true;
    std::vector<int> order;
    for (std::size_t i = graph_.steps.size(); i-- > 0;) {
      if (!wanted[i]) continue;
      const Step& step = graph_.steps[i];
      const bool own = step.kind == Step::Kind::kReduce && step.depth > depth;  // computed here
      if (step.domain != Domain::kFull && !own) order.push_back(static_cast<int>(i));
      if (step.kind == Step::Kind::kReduce && !own) continue;
      for (const int operand : step.operands) wanted[static_cast<std::size_t>(operand)] = true;
    }
    std::reverse(order.begin(), order.end());
    Lines& lines = kernel.lines();
    host_.declare(kernel, order);
    for (const int index : order) {
      const Step& step = step_at(index);
      if (step.kind == Step::Kind::kReduce) {
        if (!joins_) lines.add("j = tl.arange(0, " + most_parts() + ")");
        joins_ = true;
        const std::string part = part_name(index);
        kernel.pointer(part, part);
        lines.add(part + " = tl.load(" + part + "_ptr + " + (one_row_ ? "" : "p * blocks + ") +
                  "j, mask=j < blocks, other=" + neutral(step.text) + ")");
        end_reduction({.kind = step.text, .value = part, .acc = part}, step.name, "0", lines);
      } else if (step.kind == Step::Kind::kLeaf) {
        host_.load(kernel, index, "");
      } else if (step.kind == Step::Kind::kPointwise) {
        lines.add(step.name + " = " + step_text(graph_, index));
      }
    }
  }

  void begin_block(KernelBuilder& kernel, const std::string& start) {
    Lines& lines = kernel.lines();
    if (one_row_) {
      lines.add("o = " + start + " + tl.arange(0, BLOCK)");
      lines.add("m = o < n");
    } else {
      lines.add("i = " + start + " + tl.arange(0, BLOCK)");
      lines.add("m = i < n");
      lines.add("o = " + host_.offset("p", "i", "r"));
    }
  }

  // False: a scan, which cannot be split.
  bool write_elements(KernelBuilder& kernel, const std::vector<int>& elements) {
    for (const int index : elements) {
      const Step& step = step_at(index);
      if (step.kind == Step::Kind::kScan) return false;
      if (step.kind == Step::Kind::kLeaf) {
        host_.load(kernel, index, "");
      } else {
        kernel.lines().add(step.name + " = " + step_text(graph_, index));
      }
    }
    return true;
  }

  void add_sizes(KernelBuilder& kernel, bool places) {
    if (places) {
      host_.add_sizes(kernel);
    } else if (needs(Step::Kind::kCount)) {
      kernel.size("n", "n");
    }
  }

  bool needs(Step::Kind kind) const {
    for (std::size_t i = 0; i < graph_.steps.size(); ++i) {
      if (plan_.needed()[i] && graph_.steps[i].kind == kind) return true;
    }
    return false;
  }

  bool write_partial(int depth) {
    const std::vector<int> reductions = plan_.reductions(depth);
    KernelBuilder kernel(graph_, "KERNEL_" + std::to_string(depth), schedule_);
    Lines& lines = kernel.lines();
    const std::vector<int> elements = plan_.elements_for(reductions);
    host_.declare(kernel, elements);
    begin_kernel(lines, "blocks");
    joins_ = false;
    join_parts(kernel, depth - 1, reductions);
    std::vector<ReductionWords> words;
    for (const int reduction : reductions) {
      const Step& step = step_at(reduction);
      if (step.text.starts_with("arg")) return false;
      out_.multiply = out_.multiply || needs_multiply(step.text);
      words.push_back(
          {.kind = step.text, .value = operand_text(graph_, step.operands[0]), .acc = "acc" + step.name.substr(1)});
      begin_reduction(words.back(), "[BLOCK]", lines);
    }
    lines.begin("for k in range(" + part_index() + " * BLOCK, n, blocks * BLOCK):");
    begin_block(kernel, "k");
    if (!write_elements(kernel, elements)) return false;
    for (const ReductionWords& each : words) add_to_reduction(each, lines);
    lines.end();
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string part = part_name(reductions[i]);
      host_.lines().add(part + " = " + host_.x() + ".new_empty(" + (one_row_ ? "" : "count * ") +
                        "blocks, dtype=torch.float32)");
      kernel.pointer(part, part);
      end_reduction(words[i], step_at(reductions[i]).name, "0", lines);
      lines.add("tl.store(" + part + "_ptr + " + (one_row_ ? "p" : "p * blocks + q") + ", " +
                step_at(reductions[i]).name + ")");
    }
    add_sizes(kernel, true);
    kernel.size("blocks", "blocks");
    kernel.constant("BLOCK", block_);
    kernel.launch(host_.lines(), one_row_ ? "(blocks,)" : "(count * blocks,)", out_.taken.launch_options());
    out_.kernels.push_back(kernel.function());
    return true;
  }

  bool write_last() {
    KernelBuilder kernel(graph_, "KERNEL_" + std::to_string(plan_.depth() + 1), schedule_);
    Lines& lines = kernel.lines();
    const std::vector<int> full = plan_.full_outputs();
    const std::vector<int> elements = plan_.elements_for(full);
    host_.declare(kernel, elements);
    begin_kernel(lines, !full.empty() && !one_row_ ? "tl.cdiv(n, BLOCK)" : "");
    std::vector<int> targets;
    for (const RegionOutput& output : outputs_) targets.push_back(output.step);
    joins_ = false;
    join_parts(kernel, plan_.depth(), targets);
    if (!full.empty()) {
      begin_block(kernel, one_row_ ? "tl.program_id(0) * BLOCK" : "q * BLOCK");
      if (!write_elements(kernel, elements)) return false;
    }
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      const bool whole = step_at(outputs_[i].step).domain == Domain::kFull;
      const std::string name = host_.name_of(i), value = operand_text(graph_, outputs_[i].step);
      kernel.pointer(name, name);
      const std::string place = whole ? " + o" : one_row_ ? "" : " + p";
      lines.add("tl.store(" + name + "_ptr" + place + ", " + value + (whole ? ", mask=m)" : ")"));
    }
    add_sizes(kernel, !full.empty());
    if (needs(Step::Kind::kBatch)) kernel.size("batch", host_.x() + ".shape[0]");
    if (joins_) kernel.size("blocks", "blocks");
    if (!full.empty()) kernel.constant("BLOCK", block_);
    const std::string blocks = "triton.cdiv(n, " + block_ + ")";
    std::string grid = full.empty() ? "1," : blocks + ",";
    if (!one_row_) grid = full.empty() ? "count," : "count * " + blocks + ",";
    kernel.launch(host_.lines(), "(" + grid + ")", out_.taken.launch_options());
    out_.kernels.push_back(kernel.function());
    return true;
  }

  const Graph& graph_;
  const std::vector<RegionOutput>& outputs_;
  RowPlan plan_;
  RowHost host_;
  const Schedule& schedule_;
  bool one_row_;
  std::string block_;
  bool joins_ = false;  // the kernel at hand joins partial results
  RegionText out_;
};

}  // namespace

std::optional<RegionText> split_text(const Graph& graph, const std::vector<RegionOutput>& outputs,
                                     const Schedule& schedule) {
  return SplitText(graph, outputs, schedule).write();
}

}  // namespace tritonrl::teacher
