#pragma once

#include <string_view>

namespace tritonrl::text {

// What one line looks like on its own. Prose must come out as kOther.
enum class LineShape {
  kBlank,
  kComment,
  kImport,      // import x, from x import y
  kDefinition,  // def, class, a decorator
  kStatement,   // an assignment, a call, a keyword's statement, a docstring
  kOther,
};
LineShape line_shape(std::string_view line);

inline bool is_code(LineShape shape) {
  return shape == LineShape::kImport || shape == LineShape::kDefinition || shape == LineShape::kStatement;
}

}  // namespace tritonrl::text
