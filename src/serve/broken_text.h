#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"

namespace tritonrl::serve {

// A JSON object whose texts hold what is no text.
struct BrokenText {
  base::Json value;     // with U+FFFD in place of that
  std::string field;    // the first member that holds it; empty: a name does
  std::string problem;  // "holds \\ud800 without its other half ..."
};

// Reads a line that is no JSON only for unpaired surrogates (Python's json writes them as they are in a str) or bytes
// that are no UTF-8. Nothing if it is no JSON object either way.
std::optional<BrokenText> read_broken_text(std::string_view line);

}  // namespace tritonrl::serve
