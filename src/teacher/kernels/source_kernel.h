#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "teacher/kernels/schedule.h"
#include "teacher/operators/operator.h"

namespace tritonrl::teacher {

// The part of a kernel that computes an operator which is neither pointwise nor a reduction of rows: products,
// convolutions, pooling. The writer puts an epilogue of pointwise operators, the store and the launch around it.
//
// In the kernel, after `kernel`, there are
//   o      offsets into the contiguous result (any shape of tile), a tensor of integers
//   m      a mask of the same shape
//   value  the operator's value there, float32 (named `acc`)
// In the host function the operands are already contiguous and have their names; after `host`, `shape` is an expression
// for the shape of the result. Everything is read from the operands' shapes at run time; constants of the module
// (stride, padding) are given as arguments, or as `tl.constexpr` where loops run over them.
struct SourceKernel {
  std::vector<std::string> operands;  // names of the tensors that it loads, as given: kernel parameters `<name>_ptr`
  std::vector<std::pair<std::string, std::string>>
      arguments;  // kernel parameter and host expression, behind the pointers
  std::vector<std::pair<std::string, std::string>> constants;  // `tl.constexpr` parameter and host expression, last
  std::vector<std::string> kernel;  // lines, indented by four blanks relative to the kernel's own
  std::vector<std::string> host;    // lines before the launch
  std::string shape;                // "(x.shape[0], weight.shape[0])"
  std::string grid;                 // "(triton.cdiv(M, 64), triton.cdiv(N, 64))"
  Schedule taken;                   // what it is made by
};

// How the writer names an argument of the operator in the host function.
struct NamedArgument {
  std::string_view parameter;  // of the operator: "input", "weight", "stride"
  std::string name;            // a variable of the host function: a contiguous tensor, a number, a tuple; empty: None
};

// The kernel of the operator with these arguments under policy strict; none: it stays in torch.
std::optional<SourceKernel> source_kernel(const Bound& bound, const std::vector<NamedArgument>& arguments,
                                          const Schedule& schedule);

// The parameters of the operator whose values the host function needs, in the order in which it takes them; the rest
// (output_padding of a plain convolution) is not passed.
std::vector<std::string_view> source_parameters(const Bound& bound);

}  // namespace tritonrl::teacher
