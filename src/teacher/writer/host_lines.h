#pragma once

#include <string>
#include <vector>

#include "teacher/writer/kernel_lines.h"
#include "teacher/writer/region_text.h"

namespace tritonrl::teacher {

// The leaf that has the full shape; -1: none.
int main_leaf(const Graph& graph);

// "def FUSED(x, bias):" and the lines of a host function.
std::string host_function(const Graph& graph, const Lines& lines);

// Makes the tensors that kernels read contiguous. `skip`: by leaf, not needed.
void add_contiguous(const Graph& graph, const std::vector<bool>& used, Lines& lines);

// Allocates an output: empty_like(holder), or of another shape and type.
std::string allocation(const Graph& graph, const std::string& holder, program::DType holder_type, program::DType wanted,
                       const std::string& shape);

std::string output_name(std::size_t index, std::size_t count);

// By leaf: some needed step, or a source kernel, reads it.
std::vector<bool> used_leaves(const Graph& graph, const std::vector<bool>& needed);

}  // namespace tritonrl::teacher
