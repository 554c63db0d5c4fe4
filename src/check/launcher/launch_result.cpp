#include "check/launcher/launch_result.h"

#include "base/fields.h"

namespace tritonrl::check {

void LaunchResult::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, completed, findings, counters, time, printed, milliseconds);
}

}  // namespace tritonrl::check
