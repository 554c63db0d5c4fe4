#pragma once

#include <string_view>
#include <vector>

#include "text/code_block.h"

namespace tritonrl::text {

// What stands between <code>, <pre>, <python> or [PYTHON] and its closing tag; only pieces of several lines.
std::vector<CodeBlock> find_tagged_blocks(std::string_view text);

}  // namespace tritonrl::text
