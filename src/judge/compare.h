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
  double max_error = 0;   // largest |got - expected|
  double max_excess = 0;  // largest error as a multiple of what is allowed there
  std::string message;    // the first difference that matters: which output, element, expected and got
};

// NaN equals NaN and infinities of one sign are equal, in the same place.
Comparison compare(const std::vector<runner::TensorData>& expected, const std::vector<runner::TensorData>& got);

}  // namespace tritonrl::judge
