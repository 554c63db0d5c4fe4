#include "python/source_report.h"

#include "base/fields.h"

namespace tritonrl::python {

void JitFunction::fields(base::FieldVisitor& field) {
  field("name", name);
  field("line", line);
  field("real_body", real_body);
  field("referenced", referenced);
}

void SourceReport::fields(base::FieldVisitor& field) {
  field("parses", parses);
  field("error", error);
  field("line", line);
  field("code", code);
  field("has_entry_class", has_entry_class);
  field("jit_functions", jit_functions);
}

base::Result<SourceReport> source_report_from_json(const std::string& text) {
  return base::from_json<SourceReport>(text, "report");
}

}  // namespace tritonrl::python
