#pragma once

#include <string>
#include <string_view>

namespace tritonrl::text {

// The code without what stands in front of each line: the marks of a diff (the added side is kept), the prompts of an
// interactive session (its output goes), or line numbers. Unchanged if there are none.
std::string without_line_prefixes(std::string code, std::string_view language);

}  // namespace tritonrl::text
