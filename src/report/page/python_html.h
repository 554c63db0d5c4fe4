#pragma once

#include <string>
#include <string_view>

namespace tritonrl::report {

// Python source as the inside of a <pre>: a <span class="line"> a line, within it spans of class k (keywords), s
// (strings), n (numbers), c (comments), d (decorators) and f (names that are defined). Total: any bytes will do. The
// line `marked` (from 1) has the class "marked", too. Of long texts the first `most_lines` lines are shown, and how
// many follow.
std::string python_html(std::string_view code, int marked = 0, int most_lines = 400);

}  // namespace tritonrl::report
