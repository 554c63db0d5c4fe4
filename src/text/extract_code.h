#pragma once

#include <string>
#include <string_view>

namespace tritonrl::text {

// From a model's answer to the Python file it means.
struct ExtractOptions {
  // The class that the wanted code defines; a block that defines it wins over one that does not. Empty: none is wanted.
  std::string entry_point = "ModelNew";
};

struct ExtractedCode {
  bool found = false;
  // UTF-8, LF line ends, no BOM, ends in a newline; empty unless found. Need not be valid Python.
  std::string code;
  // Found: how it was chosen ("last of 3 fenced blocks that define ModelNew"), and what is wrong with it if that shows
  // ("ModelNew is not defined anywhere", "cut off"). Else why there is nothing.
  std::string reason;
};

// Total: any bytes in, never throws but for lack of memory; the time is linear in the answer's length.
//
// Of several blocks that define the entry point the last wins, but for one that the end of the answer cuts, or whose
// class has no forward, where a complete one stands before. What the chosen block needs and does not have (imports,
// kernels, functions) is put in front of it from the other blocks, never from one that defines the entry point too.
// Fences count before tags such as <code>, and those before unfenced code; code inside the model's thinking is taken
// only if there is none outside. Python without the entry point is found too, and the reason says so.
ExtractedCode extract_code(std::string_view answer, const ExtractOptions& options = {});

}  // namespace tritonrl::text
