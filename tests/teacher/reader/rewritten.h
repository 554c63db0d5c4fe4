#pragma once

#include <string>
#include <string_view>

#include "teacher/reader/rewrite.h"

namespace tritonrl::teacher {

// A module whose forward has these statements, on x of shape (4, 6, 5, 5), y of the same, v of (4, 6) and w of (6,) (a
// parameter, self.w), with the lines of a constructor before.
std::string module_text(std::string_view forward, std::string_view constructor = "");

// Its solution by inferred facts; empty: no region was found. Fails the test where the text is not understood, and
// where the solution is not in Python's normal form.
Rewritten rewritten(const std::string& module, const RewriteOptions& options = {});

bool has(const Rewritten& answer, std::string_view part);

}  // namespace tritonrl::teacher
