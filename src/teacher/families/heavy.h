#pragma once

#include "teacher/families/formula.h"

namespace tritonrl::teacher {

enum class Heavy : std::uint8_t {
  kLinear,
  kMatmul,
  kBmm,
  kConv1d,
  kConv2d,
  kConv3d,
  kTransposed1d,
  kTransposed2d,
  kTransposed3d
};

// What the input of such an operator looks like, before sizes are drawn.
Letters heavy_input_shape(Draw& draw, Heavy heavy);
// The operator applied to `v`: a module, a functional call with parameters, or an expression. Needs `out` as a free
// letter for the output's features ('Y' or 'O', or one that was set).
Value apply_heavy(Body& body, Heavy heavy, const Value& v, char out);
// A letter for a size that was computed.
char derived_letter(Sizes& sizes, int value);

}  // namespace tritonrl::teacher
