#include "record/labelled_task.h"

#include "base/fields.h"

namespace tritonrl::record {

void LabelledTask::fields(base::FieldVisitor& field) {
  using base::kMayLack, base::kWhereSet;
  TRL_FIELDS(field, id, pytorch_code);
  field("difficulty", difficulty, {.least = 1, .most = 3});
  field("why", why, kMayLack);
  field("entry_point", entry_point, kMayLack);
  field("split", split, kMayLack);
  field("source", source, kMayLack);
  field("labelled_by", labelled_by, kMayLack);
  field("runnable", runnable, kMayLack);
  field("own_level", own_level, kWhereSet);
  field("degenerate", degenerate, kWhereSet);
}

std::string to_json(const LabelledTask& task) {
  return base::to_json(task).dump();
}

base::Result<LabelledTask> labelled_task_from_json(std::string_view text) {
  return base::from_json<LabelledTask>(text, "label");
}

}  // namespace tritonrl::record
