#pragma once

#include <optional>
#include <string>

#include "base/json.h"

namespace tritonrl::base {
class FieldVisitor;
}

namespace tritonrl::python {

// What the answers of our Python processes share: which kind it is and, where there is no result, what the file did
// that it ran. Untrusted: the process may be that file's own by then.
struct ProcessAnswer {
  std::string kind;
  std::string phase, exception, message, file, code;
  int line = 0;
  void fields(base::FieldVisitor& field);
};

// None of another form.
std::optional<ProcessAnswer> answer_of(const base::Json& json);

}  // namespace tritonrl::python
