#include "python/process_answer.h"

#include "base/fields.h"

namespace tritonrl::python {

void ProcessAnswer::fields(base::FieldVisitor& field) {
  field("kind", kind);
  field("phase", phase, base::kMayLack);
  field("exception", exception, base::kMayLack);
  field("message", message, base::kMayLack);
  field("file", file, base::kMayLack);
  field("code", code, base::kMayLack);
  field("line", line, base::kMayLack);
}

std::optional<ProcessAnswer> answer_of(const base::Json& json) {
  try {
    ProcessAnswer out;
    base::read_fields(json, out);
    return out;
  } catch (const base::FieldError&) {
    return std::nullopt;
  }
}

}  // namespace tritonrl::python
