#include "teacher/writer/row_host.h"

#include <algorithm>

namespace tritonrl::teacher {

using Form = RowSpec::Form;

// The dimension as the host function writes it: as the text had it, so that no rank is needed.
std::string RowHost::axis() const {
  const RowSpec& rows = *graph_.rows;
  if (rows.trailing > 0) return "-1";
  return std::to_string(rows.first == rows.last && rows.written != 0 ? rows.written : rows.first);
}

bool RowHost::begin() {
  add_contiguous(graph_, plan_.used(), host_);
  const int main = main_leaf(graph_);
  if (main >= 0) {
    x_ = graph_.leaves[static_cast<std::size_t>(main)].name;
    x_type_ = graph_.leaves[static_cast<std::size_t>(main)].fact.dtype;
  } else if (!broadcast_leaves()) {
    return false;
  }
  const RowSpec& rows = *graph_.rows;
  rows_ = x_;
  switch (rows.form) {
    case Form::kRun:
      if (rows.trailing > 1 || (rows.trailing == 0 && rows.first != rows.last)) {
        rows_ = "rows";
        const std::string range = rows.trailing > 1 ? "-" + std::to_string(rows.trailing)
                                                    : std::to_string(rows.first) + ", " + std::to_string(rows.last);
        host_.add("rows = " + x_ + ".flatten(" + range + ")");
      }
      host_.add("n = " + rows_ + ".shape[" + axis() + "]");
      host_.add("inner = " + rows_ + ".stride(" + axis() + ")");
      break;
    case Form::kAround: {
      const std::string first = std::to_string(rows.first), behind = std::to_string(rows.last + 1);
      const std::string kept =
          rows.first == rows.last ? x_ + ".shape[" + first + "]" : x_ + ".shape[" + first + ":" + behind + "].numel()";
      host_.add("n = " + x_ + ".numel() // " + kept);
      host_.add("inner = " + x_ + ".stride(" + std::to_string(rows.last) + ")");
      host_.add("outer = " + x_ + ".stride(" + std::to_string(rows.first - 1) + ")");
      break;
    }
    case Form::kGroups:
      if (!add_group_count()) return false;
      break;
    case Form::kAll:
      host_.add("n = " + x_ + ".numel()");
      break;
  }
  return find_accesses();
}

bool RowHost::add_group_count() {
  std::string groups = graph_.rows->groups;
  if (groups.starts_with('@')) {
    const std::string key = groups.substr(1);
    groups.clear();
    for (const Leaf& leaf : graph_.leaves) {
      if (leaf.key == key) groups = leaf.name;
    }
  }
  if (groups.empty()) return false;
  host_.add("n = " + x_ + ".numel() // (" + x_ + ".shape[0] * " + groups + ")");
  return true;
}

// No operand has the full shape.
bool RowHost::broadcast_leaves() {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < graph_.leaves.size(); ++i) {
    const Leaf& leaf = graph_.leaves[i];
    if (!plan_.used()[i] || !leaf.fact.is_tensor() || leaf.channel || !is_full(static_cast<int>(i))) continue;
    names.push_back(leaf.name);
    x_type_ = leaf.fact.dtype;
    broadcast_.push_back(static_cast<int>(i));
  }
  if (names.size() < 2) return false;
  host_.add(joined(names) + " = torch.broadcast_tensors(" + joined(names) + ")");
  for (const std::string& name : names) host_.add(name + " = " + name + ".contiguous()");
  x_ = names.front();
  return true;
}

bool RowHost::is_full(int leaf) const {
  for (std::size_t i = 0; i < graph_.steps.size(); ++i) {
    const Step& step = graph_.steps[i];
    if (step.kind == Step::Kind::kLeaf && step.leaf == leaf && plan_.needed()[i]) return step.domain == Domain::kFull;
  }
  return false;
}

bool RowHost::find_accesses() {
  const RowSpec& rows = *graph_.rows;
  Shape kept;
  std::vector<std::size_t> axes;
  for (std::size_t i = 0; i < graph_.full.size(); ++i) {
    const int at = static_cast<int>(i);
    const bool inside = at >= rows.first && at <= rows.last;
    const bool reduced = rows.form == Form::kRun      ? inside
                         : rows.form == Form::kAround ? !inside
                         : rows.form == Form::kGroups ? i >= 1
                                                      : true;
    if (reduced) continue;
    kept.push_back(graph_.full[i]);
    axes.push_back(i);
  }
  accesses_.resize(graph_.leaves.size());
  for (std::size_t i = 0; i < graph_.steps.size(); ++i) {
    const Step& step = graph_.steps[i];
    if (!plan_.needed()[i] || step.kind != Step::Kind::kLeaf) continue;
    const Leaf& leaf = graph_.leaves[static_cast<std::size_t>(step.leaf)];
    if (!leaf.fact.is_tensor()) continue;
    Access& access = accesses_[static_cast<std::size_t>(step.leaf)];
    if (step.domain == Domain::kFull) {
      const bool spread = std::find(broadcast_.begin(), broadcast_.end(), step.leaf) != broadcast_.end();
      if (!spread) access = access_of(aligned_shape(leaf, graph_.full), graph_.full);
      if (access.kind == Access::Kind::kExpand) {
        host_.add(leaf.name + " = " + leaf.name + ".expand_as(" + x_ + ").contiguous()");
        access = {};
      }
      continue;
    }
    if (step.domain == Domain::kOne || rows.form == Form::kAll) {
      access = {Access::Kind::kOne, 0};
      continue;
    }
    Shape aligned;
    if (step.dropped || leaf.fact.shape == kept) {
      aligned = leaf.fact.shape;
    } else {
      const Shape whole = aligned_shape(leaf, graph_.full);
      const std::size_t missing = graph_.full.size() - whole.size();
      for (const std::size_t at : axes) aligned.push_back(at < missing ? 1 : whole[at - missing]);
    }
    access = access_of(aligned, kept);
    if (has_step(access) || access.kind == Access::Kind::kExpand) return false;
  }
  return true;
}

// Of a result a row, without the dimensions that were reduced.
std::string RowHost::row_shape(const Step& step) const {
  const RowSpec& rows = *graph_.rows;
  if (rows.form == Form::kRun) return rows_ + ".select(" + axis() + ", 0).shape";
  if (rows.form == Form::kAround) {
    return x_ + ".shape[" + std::to_string(rows.first) + ":" + std::to_string(rows.last + 1) + "]";
  }
  if (step.shape.empty()) return "()";
  return step.shape.size() == 1 ? "(1,)" : "(" + joined(std::vector<std::string>(step.shape.size(), "1")) + ")";
}

void RowHost::allocate() {
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const Step& step = graph_.steps[static_cast<std::size_t>(outputs_[i].step)];
    const std::string shape = step.domain == Domain::kFull ? "" : row_shape(step);
    host_.add(name_of(i) + " = " + allocation(graph_, x_, x_type_, outputs_[i].dtype, shape));
  }
}

// The reduced dimensions again, as 1.
std::string RowHost::restored() const {
  const RowSpec& rows = *graph_.rows;
  if (rows.form == Form::kAll) return {};
  if (rows.form == Form::kRun) {
    if (rows.first == rows.last) return ".unsqueeze(" + axis() + ")";
    std::string out;
    for (int i = rows.first; i <= rows.last; ++i) out += ".unsqueeze(" + std::to_string(i) + ")";
    return out;
  }
  std::vector<std::string> sizes;
  for (int i = 0; i < static_cast<int>(graph_.full.size()); ++i) {
    const bool kept = i >= rows.first && i <= rows.last;
    sizes.push_back(kept ? x_ + ".shape[" + std::to_string(i) + "]" : "1");
  }
  return ".view(" + joined(sizes) + ")";
}

void RowHost::give_back() {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const Step& step = graph_.steps[static_cast<std::size_t>(outputs_[i].step)];
    names.push_back(name_of(i) + (step.domain == Domain::kRow && !step.dropped ? restored() : ""));
  }
  host_.add(names.size() == 1 ? "return " + names[0] : "return (" + joined(names) + ")");
}

void RowHost::add_sizes(KernelBuilder& kernel) const {
  kernel.size("n", "n");
  const Form form = graph_.rows->form;
  if (form == Form::kRun || form == Form::kAround) kernel.divisor("inner", "inner");
  if (form == Form::kAround) kernel.divisor("outer", "outer");
}

void RowHost::load(KernelBuilder& kernel, int index, const std::string& row_mask) const {
  const Step& step = graph_.steps[static_cast<std::size_t>(index)];
  const std::size_t leaf = static_cast<std::size_t>(step.leaf);
  const bool full = step.domain == Domain::kFull;
  kernel.load(graph_.leaves[leaf], accesses_[leaf], full ? "o" : "p", full ? "m" : row_mask, x_);
}

void RowHost::declare(KernelBuilder& kernel, const std::vector<int>& steps) const {
  std::vector<bool> wanted(graph_.leaves.size(), false);
  for (const int index : steps) {
    const Step& step = graph_.steps[static_cast<std::size_t>(index)];
    if (step.kind == Step::Kind::kLeaf) wanted[static_cast<std::size_t>(step.leaf)] = true;
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Leaf& leaf = graph_.leaves[i];
    if (wanted[i] && leaf.fact.is_tensor()) kernel.pointer(leaf.name, leaf.name);
  }
}

std::string RowHost::offset(const std::string& p, const std::string& i, const std::string& r) const {
  switch (graph_.rows->form) {
    case Form::kRun:
      return r + " + " + i + " * inner";
    case Form::kAround:
      return i + " // inner * outer + " + p + " * inner + " + i + " % inner";
    case Form::kGroups:
      return p + " * n + " + i;
    case Form::kAll:
      return i;
  }
  return i;
}

}  // namespace tritonrl::teacher
