#include "python/source_report.h"

#include "base/fields.h"

namespace tritonrl::python {

void JitFunction::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, name, line, real_body, referenced);
}

void SourceReport::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, parses, error, line, code, has_entry_class, jit_functions);
}

base::Result<SourceReport> source_report_from_json(const std::string& text) {
  return base::from_json<SourceReport>(text, "report");
}

}  // namespace tritonrl::python
