#include "runner/run_outcome.h"

#include "base/fields.h"

namespace tritonrl::runner {

std::span<const char* const> enum_names(RunOutcome::Kind) {
  static constexpr const char* kNames[] = {"completed",      "fault",         "mismatch", "other_answer", "aten_error",
                                           "not_executable", "out_of_memory", "timeout",  "crashed",      "malformed"};
  return kNames;
}

std::string to_string(RunOutcome::Kind kind) {
  return base::enum_name(kind);
}

void LaunchReport::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, at, variant, completed, findings, counters, printed, milliseconds);
}

void Overwritten::fields(base::FieldVisitor& field) {
  field("forward", forward);
  field("input", input);
  field("tensor", tensor);
}

void Mismatch::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, only_strides, strides);
}

void RowValues::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, unknown, whole, incomplete, rows);
}

void AloneStorage::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, storage, argument, dtype);
}

void RunOutcome::fields(base::FieldVisitor& field) {
  field("kind", kind);
  field("message", message, base::kMayLack);
  field("at", at, base::kWhereSet);
  field("overwritten", overwritten, base::kWhereSet);
  field("mismatch", mismatch, base::kWhereSet);
}

}  // namespace tritonrl::runner
