#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "judge/options.h"
#include "judge/whole_outputs.h"
#include "program/dtype.h"
#include "runner/run_outcome.h"

namespace tritonrl::judge {

// |got - expected| <= atol + rtol · |expected|
struct Tolerance {
  double rtol = 0, atol = 0;
};

// A protocol's: KernelBench's 1e-4 for float32 and 1e-2 for the narrower floats. `doubles`: of results that the
// reference computes in float64 throughout: a number that Triton hands to a kernel is a float32, which a few of may err
// by that much.
struct Tolerances {
  Tolerance single{1e-4, 1e-4}, narrow{1e-2, 1e-2}, doubles{1e-7, 1e-7};
};
Tolerances tolerances_of(const JudgeOptions& options);

// By the type of the expected output; integers are exact.
Tolerance tolerance_of(program::DType dtype, const Tolerances& tolerances = {});

// What is known of the truth, beside the reference's own outputs; any may be null.
struct Truth {
  const std::vector<runner::TensorData>* exact = nullptr;   // the same outputs in higher precision
  const std::vector<runner::TensorData>* coarse = nullptr;  // and with products as a protocol lets them be rounded
  const std::vector<runner::TensorData>* noisy = nullptr;   // and with every rounding somewhat larger
};

struct CompareOptions {
  Tolerances tolerances = {};
  // Of results in a type that a candidate need not have been written for. Floats of any type have the narrower ones'
  // tolerance, the absolute one as a part of the largest output where that is more than one, since sums may be rounded
  // on the way; integers are not compared, since rounding makes ties (argmax).
  bool other_type = false;
  // Of inputs that differ by orders of magnitude from row to row: the absolute tolerance is the relative one of the
  // largest output in the same row (of the last dimension), and what the reference itself errs by there. Integers are
  // compared as `whole` says, by output, where they are the same in higher precision: such rows make ties.
  bool by_row = false;
  std::vector<WholeOutput> whole = {};
};

struct Comparison {
  bool equal = true;
  double max_error = 0;       // largest |got - expected|
  double max_excess = 0;      // largest error as a multiple of what is allowed there
  std::string message;        // the first difference that matters: which output, element, expected and got
  std::string expected, got;  // of that element
  std::string other_dtype;    // an output has another type than the reference's: which (its values were compared)
};

// NaN equals NaN and infinities of one sign are equal, in the same place. What agrees with the exact outputs is right
// too, so that a kernel more exact than the reference is never refused; what is about as far from them as the reference
// itself is right as well, since such a task magnifies rounding; and where all outputs are small the absolute tolerance
// shrinks with them, down to the reference's own error, so that zeros do not pass for small numbers. The formula is in
// docs/judge.md.
Comparison compare(const std::vector<runner::TensorData>& expected, const std::vector<runner::TensorData>& got,
                   const Truth& truth = {}, const CompareOptions& options = {});

}  // namespace tritonrl::judge
