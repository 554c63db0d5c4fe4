#pragma once

#include <string>
#include <vector>

#include "teacher/writer/access.h"
#include "teacher/writer/host_lines.h"
#include "teacher/writer/kernel_builder.h"
#include "teacher/writer/row_kernel.h"

namespace tritonrl::teacher {

// The host function of a region with reductions: operands, sizes, outputs; and where kernels find their operands.
class RowHost {
 public:
  RowHost(const Graph& graph, const std::vector<RegionOutput>& outputs, const RowPlan& plan)
      : graph_(graph), outputs_(outputs), plan_(plan) {}

  // Operands, `n` and, by the form, `inner` and `outer`. False: it has a form that is not written.
  bool begin();
  void allocate();  // the outputs
  void give_back();

  Lines& lines() { return host_; }
  const std::string& x() const { return x_; }  // the tensor of full shape
  std::string name_of(std::size_t output) const { return output_name(output, outputs_.size()); }

  // The kernel's parameters `n`, `inner`, `outer`.
  void add_sizes(KernelBuilder& kernel) const;
  // Loads a leaf's step: an element at `o` under `m`, or a value a row at `p` under `row_mask`.
  void load(KernelBuilder& kernel, int step, const std::string& row_mask) const;
  // Declares the pointers of all leaves among the steps, in the leaves' order.
  void declare(KernelBuilder& kernel, const std::vector<int>& steps) const;
  // The offset of an element: of place `i` in row `p`, whose beginning is `r`.
  std::string offset(const std::string& p, const std::string& i, const std::string& r) const;
  bool has_beginning() const { return graph_.rows->form == RowSpec::Form::kRun; }

 private:
  std::string axis() const;
  bool broadcast_leaves();
  bool is_full(int leaf) const;
  bool find_accesses();
  bool add_group_count();
  std::string row_shape(const Step& step) const;
  std::string restored() const;

  const Graph& graph_;
  const std::vector<RegionOutput>& outputs_;
  const RowPlan& plan_;
  Lines host_;
  std::string x_, rows_;  // names of the tensor of full shape, and of the same with the reduced dimensions as one
  program::DType x_type_ = program::DType::kFloat32;
  std::vector<int> broadcast_;
  std::vector<Access> accesses_;
};

// "r = ..." of a program's row.
inline constexpr const char* kRowBeginning = "r = p // inner * n * inner + p % inner";

}  // namespace tritonrl::teacher
