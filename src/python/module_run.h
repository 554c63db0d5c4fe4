#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/fields.h"

namespace tritonrl::python {

// One call of a submodule in a recorded forward. Untrusted, as all that a recording says.
struct ModuleRun {
  std::string path;                 // "layers.0.attention"; empty: the module itself
  std::string cls;                  // its class
  bool own = false;                 // which the recorded file defines
  std::size_t begin = 0, end = 0;   // its steps in the forward, those of modules inside it among them
  std::optional<std::string> init;  // what it was made with, as in a call; none: that cannot be written so
  // What it was called with, as `optimize --input` has it; none: likewise.
  std::optional<std::vector<std::string>> inputs;

  void fields(base::FieldVisitor& field) {
    field("path", path);
    field("class", cls);
    field("own", own);
    field("begin", begin);
    field("end", end);
    field("init", init, base::kMayLack);
    field("inputs", inputs, base::kMayLack);
  }
};

}  // namespace tritonrl::python
