#pragma once

#include <string>
#include <string_view>

namespace tritonrl::text {

// From a model's answer to the Python file it means.
struct ExtractOptions {
  std::string entry_point =
      "ModelNew";  // the class that the wanted code defines; a block that defines it wins over one that does not
};

struct ExtractedCode {
  bool found = false;
  std::string code;  // LF line ends, no BOM, ends in a newline; empty unless found
  std::string
      reason;  // found: how it was chosen ("last of 3 fenced blocks that define ModelNew"); else why there is nothing
};

// Total: any bytes in, never throws but for lack of memory.
ExtractedCode extract_code(std::string_view answer, const ExtractOptions& options = {});

}  // namespace tritonrl::text
