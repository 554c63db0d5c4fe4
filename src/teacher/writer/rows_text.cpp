#include <algorithm>

#include "teacher/writer/forms.h"
#include "teacher/writer/reduction_lines.h"
#include "teacher/writer/row_host.h"

namespace tritonrl::teacher {
namespace {

constexpr std::int64_t kOneBlock = 16384;  // longest row of a block that the fast variant takes
constexpr std::int64_t kShortRow = 1024;   // of which a program takes several
constexpr std::int64_t kHeldColumn = 512;  // whose elements lie apart and are kept rather than read again

std::int64_t behind_rows(const Graph& graph) {
  std::int64_t out = 1;
  for (std::size_t i = static_cast<std::size_t>(graph.rows->last) + 1; i < graph.full.size(); ++i) out *= graph.full[i];
  return out;
}

// Whether elements are read again for a later reduction, or for a result of each.
bool reads_again(const Graph& graph, const RowPlan& plan) {
  for (std::size_t i = 0; i < graph.steps.size(); ++i) {
    if (plan.needed()[i] && graph.steps[i].kind == Step::Kind::kScan) return false;  // in one pass, block after block
  }
  return plan.depth() > 1 || plan.has_full_output();
}

RowForm fast_form(const Graph& graph, const RowPlan& plan) {
  using Form = RowSpec::Form;
  const std::int64_t inner = graph.rows->form == Form::kGroups ? 1 : behind_rows(graph);
  if (graph.rows->form == Form::kAround) return inner < 32 ? RowForm::kColumns : RowForm::kLoop;
  const std::optional<std::int64_t> length = graph.row_length();
  if (inner > 1)
    return length && *length <= kHeldColumn && reads_again(graph, plan) ? RowForm::kSeveral : RowForm::kColumns;
  if (!length) return RowForm::kLoop;
  return *length <= kShortRow ? RowForm::kSeveral : *length <= kOneBlock ? RowForm::kWhole : RowForm::kLoop;
}

std::int64_t as_block(std::int64_t length) {
  std::int64_t out = 1;
  while (out < length) out *= 2;
  return out;
}

// Whether these rows can be gone over so.
bool can_be(RowForm form, int rows, const Graph& graph) {
  if (form == RowForm::kLoop) return true;
  const bool groups = graph.rows->form == RowSpec::Form::kGroups;
  if (form == RowForm::kSplit || (groups && form == RowForm::kColumns)) return false;
  if (form == RowForm::kColumns) return true;
  const std::optional<std::int64_t> length = graph.row_length();
  return graph.rows->form != RowSpec::Form::kAround && length && as_block(*length) * rows <= kMostAtOnce;
}

// What of a schedule these rows take; the rest is chosen.
Schedule taken_of(const Schedule& asked, const Graph& graph, const RowPlan& plan) {
  const bool fast = asked.variant == Variant::kFast;
  Schedule out;
  out.form = asked.form.value_or(fast ? fast_form(graph, plan) : RowForm::kLoop);
  if (!can_be(*out.form, asked.rows.value_or(1), graph)) out.form = RowForm::kLoop;
  out.warps = asked.warps;
  switch (*out.form) {
    case RowForm::kWhole:
      out.warps = asked.warps.value_or(8);
      break;
    case RowForm::kSeveral:
      out.rows = asked.rows;  // none: as many as make 4096 elements
      break;
    case RowForm::kColumns: {
      const int rows = asked.rows.value_or(64), block = asked.block.value_or(32);
      const bool held = std::int64_t{rows} * block <= kMostAtOnce;
      out.rows = held ? rows : 64;
      out.block = held ? block : 32;
      break;
    }
    default:
      out.block = asked.block.value_or(1024);
  }
  return out;
}

// Reductions of rows. Canonical: one program a row, a loop over its blocks for each depth of reductions.
class RowsText {
 public:
  RowsText(const Graph& graph, const std::vector<RegionOutput>& outputs, const Schedule& schedule)
      : graph_(graph),
        outputs_(outputs),
        plan_(graph, outputs),
        host_(graph, outputs, plan_),
        kernel_(graph, "KERNEL", schedule),
        taken_(taken_of(schedule, graph, plan_)),
        rows_first_(taken_.form == RowForm::kSeveral),
        tile_(rows_first_ || taken_.form == RowForm::kColumns),
        loops_(!rows_first_ && taken_.form != RowForm::kWhole) {
    if (rows_first_) spread_ = {"[:, None]", "[None, :]"};
    if (tile_ && !rows_first_) spread_ = {"[None, :]", "[:, None]"};
    axis_ = rows_first_ ? "1" : "0";
    if (schedule.variant == Variant::kFast) out_.variant = variant_name();
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
    const std::string at_once = taken_.rows ? std::to_string(*taken_.rows) : "rows_at_once";
    if (tile_) {
      lines.add("count = " + host_.x() + ".numel() // n");
      kernel_.size("count", "count");
      kernel_.constant("ROWS", at_once);
      if (!taken_.rows) lines.add("rows_at_once = max(1, 4096 // triton.next_power_of_2(n))");
    }
    kernel_.constant("BLOCK", block_text());
    const std::string grid = tile_ ? "triton.cdiv(count, " + at_once + ")" : host_.x() + ".numel() // n";
    kernel_.launch(lines, "(" + grid + ",)", taken_.launch_options());
    host_.give_back();
    out_.taken = taken_;
    out_.kind = "rows";
    out_.kernels.push_back(kernel_.function());
    out_.host = host_function(graph_, lines);
    return out_;
  }

 private:
  std::string block_text() const {
    const std::string row = "triton.next_power_of_2(n)";
    return loops_ ? "min(" + std::to_string(*taken_.block) + ", " + row + ")" : row;
  }

  std::string variant_name() const {
    if (tile_) return rows_first_ ? "several rows" : "columns";
    return loops_ ? "" : "one block";
  }

  void write_row_steps(int depth) {
    for (const int step : plan_.row_steps(depth)) {
      if (graph_.steps[static_cast<std::size_t>(step)].kind == Step::Kind::kLeaf) {
        host_.load(kernel_, step, tile_ ? "p < count" : "");
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
    if (loops_ || !began_) begin_block(elements);
    began_ = true;
    write_elements(elements);
  }

  void begin_block(const std::vector<int>& elements) {
    Lines& lines = kernel_.lines();
    if (loops_) {
      for (const int step : elements) {
        if (graph_.steps[static_cast<std::size_t>(step)].kind == Step::Kind::kScan) {
          begin_scan(graph_, step, tile_ ? "[ROWS]" : "", lines);
        }
      }
      lines.begin("for k in range(0, n, BLOCK):");
    }
    lines.add(loops_ ? "i = k + tl.arange(0, BLOCK)" : "i = tl.arange(0, BLOCK)");
    const std::string p = "p" + spread_.row, i = "i" + spread_.place, r = "r" + spread_.row;
    if (!tile_) {
      lines.add("m = i < n");
    } else if (rows_first_) {
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
          add_scan(graph_, step, axis_, spread_, loops_, lines);
          out_.multiply = out_.multiply || needs_multiply(graph_.steps[static_cast<std::size_t>(step)].text);
          break;
        default:
          compute(step);
      }
    }
  }

  void end_loop() {
    if (loops_) kernel_.lines().end();
  }

  // Without loops an element is loaded and computed once, in the first pass that needs it.
  std::vector<int> not_yet(const std::vector<int>& elements) {
    if (loops_) return elements;
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
    const std::string shape = !tile_ ? "[BLOCK]" : rows_first_ ? "[ROWS, BLOCK]" : "[BLOCK, ROWS]";
    for (const int reduction : reductions) {
      const Step& step = graph_.steps[static_cast<std::size_t>(reduction)];
      out_.multiply = out_.multiply || needs_multiply(step.text);
      words.push_back({.kind = step.text,
                       .value = operand_text(graph_, step.operands[0]),
                       .acc = "acc" + step.name.substr(1),
                       .place = "i" + spread_.place,
                       .row = spread_.row});
      if (loops_) begin_reduction(words.back(), shape, lines);
    }
    begin_elements(not_yet(plan_.elements_for(reductions)));
    if (loops_) {
      for (const ReductionWords& each : words) add_to_reduction(each, lines);
      end_loop();
    }
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string& target = graph_.steps[static_cast<std::size_t>(reductions[i])].name;
      if (loops_) {
        end_reduction(words[i], target, axis_, lines);
      } else {
        reduce_block(words[i], target, axis_, lines);
      }
    }
  }

  void write_kernel() {
    Lines& lines = kernel_.lines();
    lines.add(tile_ ? "p = tl.program_id(0) * ROWS + tl.arange(0, ROWS)" : "p = tl.program_id(0)");
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
    store(Domain::kRow, " + p, ", tile_ ? ", mask=p < count)" : ")");
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
  const Schedule taken_;
  const bool rows_first_;  // of the tile, its rows are the first dimension: for short rows; else elements are
  const bool tile_;        // several rows a program
  const bool loops_;       // over blocks of a row; else a row is one block
  Spread spread_;
  std::string axis_ = "0";
  bool began_ = false;
  std::vector<int> done_;
  RegionText out_;
};

}  // namespace

std::optional<RegionText> rows_text(const Graph& graph, const std::vector<RegionOutput>& outputs,
                                    const Schedule& schedule) {
  return RowsText(graph, outputs, schedule).write();
}

}  // namespace tritonrl::teacher
