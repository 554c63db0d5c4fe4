#pragma once

#include <string>
#include <vector>

#include "teacher/writer/kernel_builder.h"
#include "teacher/writer/region_text.h"

namespace tritonrl::teacher {

// What the passes over rows share, whatever the form of the kernel: which steps live where and in which order they are
// computed.
class RowPlan {
 public:
  RowPlan(const Graph& graph, const std::vector<RegionOutput>& outputs);

  const std::vector<bool>& needed() const { return needed_; }
  const std::vector<bool>& used() const { return used_; }
  int depth() const { return depth_; }
  bool has_full_output() const { return has_full_output_; }
  bool has_row_output() const { return has_row_output_; }

  // Reductions of this depth that are needed, in order.
  std::vector<int> reductions(int depth) const;
  // Steps of single elements that these need, in order: leaves first, then what is computed.
  std::vector<int> elements_for(const std::vector<int>& targets) const;
  // Steps of whole rows that are known once reductions of this depth are: loads at depth 0.
  std::vector<int> row_steps(int depth) const;
  std::vector<int> full_outputs() const;
  std::vector<int> row_outputs() const;

 private:
  void collect(int step, std::vector<bool>& wanted) const;

  const Graph& graph_;
  const std::vector<RegionOutput>& outputs_;
  std::vector<bool> needed_, used_;
  int depth_ = 0;
  bool has_full_output_ = false, has_row_output_ = false;
};

// Writes a scan's lines. In a loop it carries what came before; `rows`: the shape of a value a row ("[ROWS]"), empty
// for one row.
void begin_scan(const Graph& graph, int step, const std::string& rows, Lines& lines);
void add_scan(const Graph& graph, int step, const std::string& axis, const Spread& spread, bool loops, Lines& lines);

}  // namespace tritonrl::teacher
