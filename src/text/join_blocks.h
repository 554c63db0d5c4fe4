#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/candidate.h"

namespace tritonrl::text {

struct JoinedCode {
  std::string code = {};
  std::size_t imports = 0;  // import statements taken from other blocks
  std::size_t helpers = 0;  // other blocks put in front as a whole
};

// The chosen block, and in front of it what it needs from others: whole blocks for the functions, classes and constants
// it uses but does not bind (of several definitions the last), single import statements for modules.
// Blocks that define the entry point are drafts, and never joined; nothing is, if nothing is missing.
JoinedCode join_blocks(const std::vector<Candidate>& candidates, std::size_t chosen);

}  // namespace tritonrl::text
