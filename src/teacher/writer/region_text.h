#pragma once

#include <string>
#include <vector>

#include "teacher/graph/graph.h"
#include "teacher/kernels/source_kernel.h"

namespace tritonrl::teacher {

struct RegionOutput {
  int step = -1;
  program::DType dtype = program::DType::kFloat32;
};

// A region as text. `KERNEL` stands for the kernel's name ("kernel3", or "kernel3_1", …), `FUSED` for the host
// function's.
struct RegionText {
  std::string kind = {};                  // "pointwise", "rows", "full", or the source operator's name
  std::vector<std::string> kernels = {};  // each a function with its decorator
  std::string host = {};                  // the host function, which takes the leaves in their order
  bool libdevice = false;                 // it calls libdevice
  bool multiply = false;                  // it needs the helper `multiply`
  std::string variant = {};               // of the fast forms the one that was taken; empty: canonical
  Schedule taken = {};                    // what it is made by; words that have no meaning for it are not there
};

// The graph is finished and its leaves have names; its steps are given theirs. None: it has a form that is not written.
std::optional<RegionText> region_text(Graph& graph, const std::vector<RegionOutput>& outputs, const Schedule& schedule);

// Names that kernels and host functions use themselves: leaves must have others.
bool is_taken_name(std::string_view name);

}  // namespace tritonrl::teacher
