#pragma once

#include <string_view>
#include <vector>

namespace tritonrl::text {

// A run of Python lines in prose.
struct PythonRegion {
  std::string_view text;
  bool reaches_end = false;  // nothing but blank lines follows
};

// Each begins with an import, a decorator, a def or a class, with the comments, docstring and assignments right above
// it, and ends before the first line in its first column that is prose.
std::vector<PythonRegion> find_python_regions(std::string_view text);

}  // namespace tritonrl::text
