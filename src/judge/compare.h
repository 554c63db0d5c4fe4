#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program/dtype.h"
#include "runner/run_outcome.h"

namespace tritonrl::judge {

// |got - expected| <= atol + rtol · |expected|
struct Tolerance {
  double rtol = 0, atol = 0;
};

// By the type of the expected output: KernelBench's 1e-4 for float32 and 1e-2 for the narrower floats; integers exact.
Tolerance tolerance_of(program::DType dtype);

struct Comparison {
  bool equal = true;
  double max_error = 0;       // largest |got - expected|
  double max_excess = 0;      // largest error as a multiple of what is allowed there
  std::string message;        // the first difference that matters: which output, element, expected and got
  std::string expected, got;  // of that element
  std::string other_dtype;    // an output has another type than the reference's: which (its values were compared)
};

// NaN equals NaN and infinities of one sign are equal, in the same place. `oracle` (may be empty): the same outputs in
// higher precision. What agrees with it is right too, so that a kernel more exact than the reference is never refused;
// what is about as far from it as the reference itself is right as well, since such a task magnifies rounding; and
// where all outputs are small the absolute tolerance shrinks with them, down to the reference's own error, so that
// zeros do not pass for small numbers.
//
// `other_type`: of results in a type that a candidate need not have been written for. Floats of any type have the
// narrower ones' tolerance, the absolute one as a part of the largest output where that is more than one, since sums
// may be rounded on the way; integers are not compared, since rounding makes ties (argmax).
Comparison compare(const std::vector<runner::TensorData>& expected, const std::vector<runner::TensorData>& got,
                   const std::vector<runner::TensorData>& oracle = {}, bool other_type = false);

}  // namespace tritonrl::judge
