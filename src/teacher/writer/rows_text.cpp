#include <algorithm>

#include "teacher/writer/forms.h"
#include "teacher/writer/reduction_lines.h"
#include "teacher/writer/row_host.h"

namespace tritonrl::teacher {
namespace {

// How a kernel goes over rows.
struct RowLayout {
  bool tile = false;  // several rows a program, and
  bool rows_first =
      false;          // they are the tile's first dimension: for short rows; else for rows whose elements lie apart
  bool loops = true;  // over blocks of a row; else a row is one block
  std::string name;   // of the variant
};

constexpr std::int64_t kOneBlock = 16384;  // longest row of a block
constexpr std::int64_t kShortRow = 1024;   // of which a program takes several

RowLayout canonical_layout() {
  return {};
}

std::int64_t row_length(const Graph& graph) {
  const RowSpec& rows = *graph.rows;
  std::int64_t inside = 1, all = 1;
  for (std::size_t i = 0; i < graph.full.size(); ++i) {
    const int at = static_cast<int>(i);
    all *= graph.full[i];
    if (at >= rows.first && at <= rows.last) inside *= graph.full[i];
  }
  if (rows.form == RowSpec::Form::kAround) return all / inside;
  return inside;
}

std::int64_t behind_rows(const Graph& graph) {
  std::int64_t out = 1;
  for (std::size_t i = static_cast<std::size_t>(graph.rows->last) + 1; i < graph.full.size(); ++i) out *= graph.full[i];
  return out;
}

RowLayout fast_layout(const Graph& graph, const RowPlan& plan) {
  for (std::size_t i = 0; i < graph.steps.size(); ++i) {
    if (plan.needed()[i] && graph.steps[i].kind == Step::Kind::kReduce && graph.steps[i].text.starts_with("arg"))
      return {};
  }
  if (graph.rows->form == RowSpec::Form::kGroups) return {};
  const std::int64_t length = row_length(graph), inner = behind_rows(graph);
  const bool apart = graph.rows->form == RowSpec::Form::kRun ? inner > 1 : inner < 32;
  if (apart) return {.tile = true, .rows_first = false, .loops = true, .name = "columns"};
  if (graph.rows->form == RowSpec::Form::kAround) return {};
  if (length <= kShortRow) return {.tile = true, .rows_first = true, .loops = false, .name = "several rows"};
  if (length <= kOneBlock) return {.tile = false, .rows_first = false, .loops = false, .name = "one block"};
  return {};
}

// Reductions of rows. Canonical: one program a row, a loop over its blocks for each depth of reductions.
class RowsText {
 public:
  RowsText(const Graph& graph, const std::vector<RegionOutput>& outputs, Variant variant)
      : graph_(graph),
        outputs_(outputs),
        plan_(graph, outputs),
        host_(graph, outputs, plan_),
        kernel_(graph, "KERNEL") {
    layout_ = variant == Variant::kFast ? fast_layout(graph, plan_) : canonical_layout();
    if (layout_.tile && layout_.rows_first) spread_ = {"[:, None]", "[None, :]"};
    if (layout_.tile && !layout_.rows_first) spread_ = {"[None, :]", "[:, None]"};
    axis_ = layout_.tile && layout_.rows_first ? "1" : "0";
  }

  std::optional<RegionText> write() {
    if (!host_.begin()) return std::nullopt;
    host_.allocate();
    std::vector<int> steps;
    for (std::size_t i = 0; i < graph_.steps.size(); ++i) {
      if (plan_.needed()[i]) steps.push_back(static_cast<int>(i));
    }
    host_.declare(kernel_, steps);
    for (std::size_t i = 0; i < outputs_.size(); ++i) kernel_.pointer(host_.name_of(i), host_.name_of(i));
    write_kernel();
    host_.add_sizes(kernel_);
    Lines& lines = host_.lines();
    const std::string at_once = layout_.rows_first ? "rows_at_once" : "64";
    if (layout_.tile) {
      lines.add("count = " + host_.x() + ".numel() // n");
      kernel_.size("count", "count");
      kernel_.constant("ROWS", at_once);
      if (layout_.rows_first) lines.add("rows_at_once = max(1, 4096 // triton.next_power_of_2(n))");
    }
    kernel_.constant("BLOCK", block_text());
    const std::string grid = layout_.tile ? "triton.cdiv(count, " + at_once + ")" : host_.x() + ".numel() // n";
    kernel_.launch(lines, "(" + grid + ",)", !layout_.tile && !layout_.loops ? "num_warps=8" : "");
    host_.give_back();
    out_.variant = layout_.name;
    out_.kind = "rows";
    out_.kernels.push_back(kernel_.function());
    out_.host = host_function(graph_, lines);
    return out_;
  }

 private:
  std::string block_text() const {
    if (!layout_.loops) return "triton.next_power_of_2(n)";
    return layout_.tile ? "min(32, triton.next_power_of_2(n))" : "min(1024, triton.next_power_of_2(n))";
  }
  void write_row_steps(int depth) {
    for (const int step : plan_.row_steps(depth)) {
      if (graph_.steps[static_cast<std::size_t>(step)].kind == Step::Kind::kLeaf) {
        host_.load(kernel_, step, layout_.tile ? "p < count" : "");
      } else {
        compute(step);
      }
    }
  }

  void compute(int step) {
    kernel_.lines().add(graph_.steps[static_cast<std::size_t>(step)].name + " = " + step_text(graph_, step, spread_));
  }

  // Offsets and mask of a block, and its elements. Without loops the first call makes the only block.
  void begin_elements(const std::vector<int>& elements) {
    if (layout_.loops || !began_) begin_block(elements);
    began_ = true;
    write_elements(elements);
  }

  void begin_block(const std::vector<int>& elements) {
    Lines& lines = kernel_.lines();
    if (layout_.loops) {
      for (const int step : elements) {
        if (graph_.steps[static_cast<std::size_t>(step)].kind == Step::Kind::kScan) {
          begin_scan(graph_, step, layout_.tile ? "[ROWS]" : "", lines);
        }
      }
      lines.begin("for k in range(0, n, BLOCK):");
    }
    lines.add(layout_.loops ? "i = k + tl.arange(0, BLOCK)" : "i = tl.arange(0, BLOCK)");
    const std::string p = "p" + spread_.row, i = "i" + spread_.place, r = "r" + spread_.row;
    if (!layout_.tile) {
      lines.add("m = i < n");
    } else if (layout_.rows_first) {
      lines.add("m = (p < count)[:, None] & (i < n)[None, :]");
    } else {
      lines.add("m = (i < n)[:, None] & (p < count)[None, :]");
    }
    lines.add("o = " + host_.offset(p, i, r));
  }

  void write_elements(const std::vector<int>& elements) {
    Lines& lines = kernel_.lines();
    for (const int step : elements) {
      switch (graph_.steps[static_cast<std::size_t>(step)].kind) {
        case Step::Kind::kLeaf:
          host_.load(kernel_, step, "");
          break;
        case Step::Kind::kScan:
          add_scan(graph_, step, axis_, spread_, layout_.loops, lines);
          out_.multiply = out_.multiply || needs_multiply(graph_.steps[static_cast<std::size_t>(step)].text);
          break;
        default:
          compute(step);
      }
    }
  }

  void end_loop() {
    if (layout_.loops) kernel_.lines().end();
  }

  // Without loops an element is loaded and computed once, in the first pass that needs it.
  std::vector<int> not_yet(const std::vector<int>& elements) {
    if (layout_.loops) return elements;
    std::vector<int> out;
    for (const int step : elements) {
      if (std::find(done_.begin(), done_.end(), step) == done_.end()) out.push_back(step);
    }
    done_.insert(done_.end(), out.begin(), out.end());
    return out;
  }

  void write_pass(const std::vector<int>& reductions) {
    Lines& lines = kernel_.lines();
    std::vector<ReductionWords> words;
    const std::string shape = !layout_.tile ? "[BLOCK]" : layout_.rows_first ? "[ROWS, BLOCK]" : "[BLOCK, ROWS]";
    for (const int reduction : reductions) {
      const Step& step = graph_.steps[static_cast<std::size_t>(reduction)];
      out_.multiply = out_.multiply || needs_multiply(step.text);
      words.push_back(
          {.kind = step.text, .value = operand_text(graph_, step.operands[0]), .acc = "acc" + step.name.substr(1)});
      if (layout_.loops) begin_reduction(words.back(), shape, lines);
    }
    begin_elements(not_yet(plan_.elements_for(reductions)));
    if (layout_.loops) {
      for (const ReductionWords& each : words) add_to_reduction(each, lines);
      end_loop();
    }
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string& target = graph_.steps[static_cast<std::size_t>(reductions[i])].name;
      if (layout_.loops) {
        end_reduction(words[i], target, axis_, lines);
      } else {
        reduce_block(words[i], target, axis_, lines);
      }
    }
  }

  void write_kernel() {
    Lines& lines = kernel_.lines();
    lines.add(layout_.tile ? "p = tl.program_id(0) * ROWS + tl.arange(0, ROWS)" : "p = tl.program_id(0)");
    if (host_.has_beginning()) lines.add(kRowBeginning);
    write_row_steps(0);
    for (int depth = 1; depth <= plan_.depth(); ++depth) {
      write_pass(plan_.reductions(depth));
      write_row_steps(depth);
    }
    if (plan_.has_full_output()) {
      begin_elements(not_yet(plan_.elements_for(plan_.full_outputs())));
      store(Domain::kFull, " + o, ", ", mask=m)");
      end_loop();
    }
    store(Domain::kRow, " + p, ", layout_.tile ? ", mask=p < count)" : ")");
  }

  void store(Domain domain, const std::string& place, const std::string& end) {
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      const Step& step = graph_.steps[static_cast<std::size_t>(outputs_[i].step)];
      if ((step.domain == Domain::kFull) != (domain == Domain::kFull)) continue;
      kernel_.lines().add("tl.store(" + host_.name_of(i) + "_ptr" + place + operand_text(graph_, outputs_[i].step) +
                          end);
    }
  }

  const Graph& graph_;
  const std::vector<RegionOutput>& outputs_;
  RowPlan plan_;
  RowHost host_;
  KernelBuilder kernel_;
  RowLayout layout_;
  Spread spread_;
  std::string axis_ = "0";
  bool began_ = false;
  std::vector<int> done_;
  RegionText out_;
};

}  // namespace

std::optional<RegionText> rows_text(const Graph& graph, const std::vector<RegionOutput>& outputs, Variant variant) {
  return RowsText(graph, outputs, variant).write();
}

}  // namespace tritonrl::teacher
