#pragma once

#include <string_view>
#include <vector>

namespace tritonrl::text {

// One statement in the first column with all that is indented under it, decorators in front.
struct TopStatement {
  enum class Kind { kImport, kFunction, kClass, kOther };
  Kind kind = Kind::kOther;
  std::string_view text;                // up to its last line that is not blank
  std::vector<std::string_view> names;  // what it binds in the module; unordered
};

struct PythonOutline {
  std::vector<TopStatement> statements;
  bool cut = false;  // ends inside a string, a bracket or a statement, or with a header that has no body
};

// The views point into `code`.
PythonOutline python_outline(std::string_view code);

}  // namespace tritonrl::text
