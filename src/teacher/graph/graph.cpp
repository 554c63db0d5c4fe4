#include "teacher/graph/graph.h"

#include <algorithm>
#include <charconv>

#include "base/check.h"
#include "teacher/operators/shape_rules.h"

namespace tritonrl::teacher {
namespace {

// Whether broadcasting the shape with the whole one gives the whole one.
bool fits_into(const Shape& shape, const Shape& whole) {
  if (shape.size() > whole.size()) return false;
  const std::size_t missing = whole.size() - shape.size();
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != 1 && shape[i] != whole[missing + i]) return false;
  }
  return true;
}

}  // namespace

int Graph::add(Step step) {
  steps.push_back(std::move(step));
  return static_cast<int>(steps.size()) - 1;
}

int Graph::add_leaf(Leaf leaf) {
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (leaves[i].key == leaf.key && leaves[i].channel == leaf.channel && leaves[i].whole == leaf.whole)
      return static_cast<int>(i);
  }
  leaves.push_back(std::move(leaf));
  return static_cast<int>(leaves.size()) - 1;
}

int Graph::leaf_step(int leaf) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].kind == Step::Kind::kLeaf && steps[i].leaf == leaf) return static_cast<int>(i);
  }
  const Leaf& which = leaves[static_cast<std::size_t>(leaf)];
  Step step{.kind = Step::Kind::kLeaf, .leaf = leaf};
  if (which.is_number()) {
    step.settled = true;
  } else {
    step.shape = which.fact.shape;
    step.truth = which.fact.dtype == program::DType::kBool;
    if (count(step.shape) == 1 && step.shape.size() <= 1) step.settled = true;  // one value for all
  }
  return add(std::move(step));
}

int Graph::literal(std::string text) {
  return add({.kind = Step::Kind::kLiteral, .text = std::move(text), .settled = true});
}

int Graph::number_step(Step::Kind kind) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].kind == kind) return static_cast<int>(i);
  }
  Step step{.kind = kind, .settled = true};
  if (kind == Step::Kind::kPlace) step.domain = Domain::kFull;
  return add(std::move(step));
}

bool Graph::is_reduced(std::size_t axis) const {
  TRL_CHECK(rows, "a row is asked for where nothing is reduced");
  const int at = static_cast<int>(axis);
  const bool inside = at >= rows->first && at <= rows->last;
  switch (rows->form) {
    case RowSpec::Form::kRun:
      return inside;
    case RowSpec::Form::kAround:
      return !inside;
    case RowSpec::Form::kGroups:
      return axis >= 1;
    case RowSpec::Form::kAll:
      return true;
  }
  return true;
}

std::optional<std::int64_t> Graph::row_length() const {
  std::int64_t out = 1;
  for (std::size_t i = 0; i < full.size(); ++i) {
    if (is_reduced(i)) out *= full[i];
  }
  if (rows->form != RowSpec::Form::kGroups) return out;
  std::int64_t groups = 0;
  if (!rows->groups.starts_with('@')) {
    const char* end = rows->groups.data() + rows->groups.size();
    if (std::from_chars(rows->groups.data(), end, groups).ptr != end) return std::nullopt;
  }
  for (const Leaf& leaf : leaves) {
    if ("@" + leaf.key == rows->groups && leaf.fact.is_number() && leaf.fact.constant) groups = leaf.fact.integer;
  }
  return groups > 0 ? std::optional(out / groups) : std::nullopt;
}

Shape Graph::dropped_shape() const {
  Shape out;
  for (std::size_t i = 0; i < full.size(); ++i) {
    if (!is_reduced(i)) out.push_back(full[i]);
  }
  return out;
}

// Gives a leaf, or what is computed of leaves alone, its place among rows and elements.
bool Graph::settle(int index, bool dropped) {
  Step& step = steps[static_cast<std::size_t>(index)];
  if (step.settled) return step.domain == Domain::kOne || step.domain == Domain::kFull || step.dropped == dropped;
  if (!rows) return true;  // later
  const Leaf* leaf = step.kind == Step::Kind::kLeaf ? &leaves[static_cast<std::size_t>(step.leaf)] : nullptr;
  if (dropped) {
    if (!fits_into(step.shape, dropped_shape())) return false;
    step.domain = Domain::kRow;
    step.dropped = true;
  } else {
    Shape aligned = step.shape;
    if (leaf != nullptr && leaf->channel) {
      aligned.assign(full.size() > 1 ? full.size() - 1 : 1, 1);
      aligned.front() = step.shape.front();
    }
    if (!fits_into(aligned, full)) return false;
    const std::size_t missing = full.size() - aligned.size();
    step.domain = Domain::kRow;
    for (std::size_t i = 0; i < aligned.size(); ++i) {
      if (aligned[i] != 1 && is_reduced(i + missing)) step.domain = Domain::kFull;
    }
  }
  step.settled = true;
  // What it was computed of lives where it lives, or closer to one value for all.
  bool good = true;
  Domain widest = Domain::kOne;
  for (const int operand : std::vector<int>(step.operands)) {
    good = good && settle(operand, dropped);
    widest = std::max(widest, steps[static_cast<std::size_t>(operand)].domain);
  }
  Step& again = steps[static_cast<std::size_t>(index)];
  if (leaf == nullptr && !again.operands.empty()) again.domain = widest;
  return good;
}

Graph::Mark Graph::mark() const {
  Mark out{.leaves = leaves.size(),
           .steps = steps.size(),
           .operators = operators.size(),
           .rows = rows,
           .full = full,
           .source = source,
           .unsettled = {}};
  out.unsettled.reserve(
      static_cast<std::size_t>(std::ranges::count_if(steps, [](const Step& step) { return !step.settled; })));
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    if (step.settled) continue;
    out.unsettled.push_back({static_cast<int>(i), step.domain, step.kind == Step::Kind::kLeaf ? Shape() : step.shape});
  }
  return out;
}

void Graph::back_to(const Mark& mark) {
  leaves.resize(mark.leaves);
  steps.resize(mark.steps);
  operators.resize(mark.operators);
  rows = mark.rows;
  full = mark.full;
  source = mark.source;
  if (source < 0) source_op.reset();
  for (const Mark::Unsettled& each : mark.unsettled) {
    Step& step = steps[static_cast<std::size_t>(each.step)];
    step.settled = step.dropped = false;
    step.domain = each.domain;
    step.shape = step.kind == Step::Kind::kLeaf ? leaves[static_cast<std::size_t>(step.leaf)].fact.shape : each.shape;
  }
}

bool Graph::settle_as_row(int index) {
  Step& step = steps[static_cast<std::size_t>(index)];
  if (step.settled) return step.domain == Domain::kRow;
  if (!rows || step.shape != dropped_shape()) return false;
  step.domain = Domain::kRow;
  step.settled = true;
  step.shape = full;
  for (std::size_t i = 0; i < full.size(); ++i) {
    if (is_reduced(i)) step.shape[i] = 1;
  }
  return true;
}

int Graph::pointwise(std::string text, std::vector<int> operands, bool truth) {
  Step step{.kind = Step::Kind::kPointwise, .text = std::move(text), .operands = std::move(operands), .truth = truth};
  bool any_dropped = false, any_kept = false, all_settled = true;
  for (const int i : step.operands) {
    const Step& operand = steps[static_cast<std::size_t>(i)];
    all_settled = all_settled && operand.settled;
    if (!operand.settled || operand.domain == Domain::kOne) continue;
    if (operand.domain == Domain::kRow && operand.dropped) any_dropped = true;
    if (operand.domain == Domain::kFull || !operand.dropped) any_kept = true;
  }
  if (any_dropped && any_kept) {
    // Values without their reduced dimensions meet full ones only where those dimensions were the first.
    if (!rows || rows->form != RowSpec::Form::kRun || rows->first != 0) return -1;
    any_dropped = false;
  }
  const bool settles = any_dropped || any_kept || all_settled;
  for (const int i : step.operands) {
    if (settles && rows && !steps[static_cast<std::size_t>(i)].settled && !settle(i, any_dropped)) return -1;
  }
  for (const int i : step.operands) {
    const Step& operand = steps[static_cast<std::size_t>(i)];
    const bool channel = operand.kind == Step::Kind::kLeaf && leaves[static_cast<std::size_t>(operand.leaf)].channel;
    if (!channel && !fits_into(operand.shape, step.shape)) {
      std::optional<Shape> joined = operators::broadcast(step.shape, operand.shape);
      if (!joined) return -1;
      step.shape = std::move(*joined);
    }
    step.depth = std::max(step.depth, operand.depth);
    if (operand.settled) step.domain = std::max(step.domain, operand.domain);
  }
  step.settled = settles && (rows || step.domain == Domain::kOne);
  step.dropped = step.domain == Domain::kRow && any_dropped;
  if (rows && step.settled && step.domain == Domain::kFull) {
    if (!fits_into(step.shape, full)) return -1;
  }
  const int same = find_same(step);
  return same >= 0 ? same : add(std::move(step));
}

// Whether the value has these rows; they are the region's from now on.
bool Graph::take_rows(int value, const RowSpec& spec) {
  if (rows && !(*rows == spec)) return false;
  const Shape shape = steps[static_cast<std::size_t>(value)].shape;
  if (!rows) {
    rows = spec;
    full = shape;
  }
  return shape == full && settle(value, false) && steps[static_cast<std::size_t>(value)].domain == Domain::kFull;
}

int Graph::reduce(const std::string& kind, int value, const RowSpec& spec) {
  if (source >= 0) return -1;
  if (!take_rows(value, spec)) return -1;
  const Step& reduced = steps[static_cast<std::size_t>(value)];
  Step step{.kind = Step::Kind::kReduce, .text = kind, .operands = {value}, .domain = Domain::kRow, .settled = true};
  step.depth = reduced.depth + 1;
  step.truth = kind == "any" || kind == "all";
  step.shape = full;
  for (std::size_t i = 0; i < full.size(); ++i) {
    if (is_reduced(i)) step.shape[i] = 1;
  }
  if (spec.form == RowSpec::Form::kGroups) step.shape = Shape(full.size(), 1);
  const int same = find_same(step);
  return same >= 0 ? same : add(std::move(step));
}

int Graph::scan(const std::string& kind, int value, const RowSpec& spec) {
  if (source >= 0 || spec.form != RowSpec::Form::kRun || spec.first != spec.last) return -1;
  if (!take_rows(value, spec)) return -1;
  const Step& scanned = steps[static_cast<std::size_t>(value)];
  Step step{.kind = Step::Kind::kScan,
            .text = kind,
            .operands = {value},
            .shape = full,
            .domain = Domain::kFull,
            .settled = true,
            .depth = scanned.depth};
  return add(std::move(step));
}

int Graph::add_source(const Bound& bound, const Shape& shape) {
  if (source >= 0 || rows) return -1;
  source_op = bound;
  source = add({.kind = Step::Kind::kSource, .shape = shape, .domain = Domain::kFull});
  steps[static_cast<std::size_t>(source)].name = "acc";
  return source;
}

bool Graph::finish(const std::vector<int>& outputs) {
  if (outputs.empty()) return false;
  if (!rows) {
    full.clear();
    for (const int output : outputs) {
      const std::optional<Shape> joined = operators::broadcast(full, steps[static_cast<std::size_t>(output)].shape);
      if (!joined) return false;
      full = *joined;
    }
    for (const int output : outputs) {
      if (steps[static_cast<std::size_t>(output)].shape != full) return false;
    }
    if (source >= 0 && full != steps[static_cast<std::size_t>(source)].shape) return false;
    for (Step& step : steps) {
      if (step.kind == Step::Kind::kLeaf && step.settled) continue;
      if (step.kind == Step::Kind::kLiteral) continue;
      step.domain = Domain::kFull;
      step.settled = true;
    }
    return count(full) > 1;
  }
  for (const int output : outputs) {
    if (!steps[static_cast<std::size_t>(output)].settled && !settle(output, false)) return false;
    const Step& step = steps[static_cast<std::size_t>(output)];
    if (step.domain == Domain::kOne) return false;
    if (step.domain == Domain::kFull && step.shape != full) return false;
    if (step.domain == Domain::kRow && step.kind != Step::Kind::kReduce) {
      Shape whole = step.dropped ? dropped_shape() : full;
      if (!step.dropped) {
        for (std::size_t i = 0; i < full.size(); ++i) {
          if (is_reduced(i)) whole[i] = 1;
        }
        if (rows->form == RowSpec::Form::kAll) whole = step.shape;
        if (rows->form == RowSpec::Form::kGroups) return false;
      }
      if (step.shape != whole) return false;
    }
    if (step.domain == Domain::kRow && rows->form == RowSpec::Form::kGroups) return false;
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!steps[i].settled && !settle(static_cast<int>(i), false)) steps[i].settled = true;  // not used
  }
  return count(full) > 1;
}

int Graph::drop_rows(int index, std::size_t fresh) {
  if (!rows || steps[static_cast<std::size_t>(index)].domain != Domain::kRow) return -1;
  if (static_cast<std::size_t>(index) < fresh) {
    steps.push_back(Step(steps[static_cast<std::size_t>(index)]));
    index = static_cast<int>(steps.size()) - 1;
  }
  Step& step = steps[static_cast<std::size_t>(index)];
  if (rows->form == RowSpec::Form::kAll) {
    step.shape.clear();
  } else {
    step.shape = dropped_shape();
    step.dropped = true;
  }
  return index;
}

// The step that computes the same already.
int Graph::find_same(const Step& wanted) const {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    if (step.kind == wanted.kind && step.text == wanted.text && step.operands == wanted.operands &&
        step.shape == wanted.shape && step.dropped == wanted.dropped && step.domain == wanted.domain &&
        step.settled == wanted.settled) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

}  // namespace tritonrl::teacher
