#pragma once

#include <optional>
#include <string>
#include <vector>

#include "teacher/kernels/source_kernel.h"

namespace tritonrl::teacher {

// A product of two tensors summed over the dimensions that the result lacks, in einsum's letters: linear is
// "mk,nk->mn".
struct Contraction {
  struct Size {
    char letter = 0;
    std::string expression;   // in the host function
    std::int64_t extent = 0;  // in the task
  };
  std::string a, b;  // operands
  std::string a_letters = {}, b_letters = {},
              result_letters = {};  // of their dimensions, contiguous, the outermost first
  std::vector<Size> sizes = {};     // of every letter
  std::string shape = {};           // of the result, over the operands

  std::string bias = {};  // a tensor that is added along `bias_letter`; may be empty
  char bias_letter = 0;
  std::string addend = {};  // one of the result's own shape; may be empty
};

// A tiled kernel for it; where one side of the product has a single element, a reduction of rows. None: a letter is
// repeated or summed within one operand, or nothing is shared or left.
std::optional<SourceKernel> contraction_kernel(Contraction contraction, const Schedule& schedule);

}  // namespace tritonrl::teacher
