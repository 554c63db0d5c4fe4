#pragma once

#include <string_view>
#include <vector>

#include "text/code_block.h"

namespace tritonrl::text {

// The Markdown fenced blocks of `text` in order, blocks inside Markdown blocks in place of these, empty ones left out.
// More forgiving than CommonMark, as models are less careful than people:
//  - a fence may open at the end of a line of prose, and code may stand on its line;
//  - a fence with a known language opens a new block even where the last was never closed;
//  - text may follow a closing fence, and a closing fence may stand at the end of a line of code;
//  - a fence inside a Python string that closes later is part of the code.
// Quote marks are taken off the lines; indentation stays.
std::vector<CodeBlock> find_fenced_blocks(std::string_view text);

}  // namespace tritonrl::text
