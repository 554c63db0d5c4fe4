#pragma once

#include <string_view>
#include <unordered_set>

namespace tritonrl::text {

// The names in Python source, by a scan without scopes: good enough to tell which block of an answer needs which other.
// The views point into the source.
struct PythonNames {
  std::unordered_set<std::string_view> bound;  // by def, class, import, assignment, parameter, for, as; no methods
  std::unordered_set<std::string_view> used;   // read somewhere: no attributes, keywords, names of keyword arguments
};
PythonNames python_names(std::string_view code);

}  // namespace tritonrl::text
