#pragma once

#include <string>

#include "text/code_block.h"

namespace tritonrl::text {

// The code of a block as Python would want it: no marks or numbers in front of the lines, no common indentation,
// no HTML or JSON escapes around it, no notebook commands, no odd or trailing white space outside strings,
// no blank lines at the ends, and a newline at the end. Empty if nothing is left.
std::string clean_block(const CodeBlock& block);

}  // namespace tritonrl::text
