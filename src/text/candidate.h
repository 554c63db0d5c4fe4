#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/code_block.h"
#include "text/python_outline.h"

namespace tritonrl::text {

// A cleaned block of an answer, judged as the place of the entry point.
struct Candidate {
  CodeBlock block;
  bool python = false;   // looks like Python or defines the entry point, and is not named as another language
  bool defines = false;  // binds the entry point in its first column
  bool cut = false;      // the answer ends in the middle of it
  bool sketch = false;   // the class has no forward of its own, nor a base that may have it

  bool whole() const { return defines && !cut && !sketch; }
  PythonOutline outline() const { return python_outline(block.code); }
};

// Cleans the blocks; those that turn out empty are left out.
std::vector<Candidate> make_candidates(std::vector<CodeBlock> blocks, std::string_view entry_point);

// The candidate that the answer means: the last whole one; else the last that defines the entry point;
// else the longest Python one, the later of two. A block named as another language only if it defines the entry point
// and no Python block does.
std::optional<std::size_t> choose(const std::vector<Candidate>& candidates);

}  // namespace tritonrl::text
