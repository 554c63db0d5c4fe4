#include "runner/device_messages.h"

#include "base/fields.h"

namespace tritonrl::runner {

void SharedTensor::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, bytes, sizes, dtype);
}

void DrawAnswer::fields(base::FieldVisitor& field) {
  field("not_applicable", not_applicable, base::kWhereSet);
  TRL_FIELDS(field, inputs, outputs);
}

void RunOrder::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, seed, tune, inputs, outputs);
}

void RunAnswer::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, broken_fences, tuned);
}

void CompareOrder::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, outputs, tf32);
}

void CompareAnswer::fields(base::FieldVisitor& field) {
  field("outputs", outputs);
}

void DeviceTimingOptions::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, warmup, trials, use_events, budget_ms, secret, reference_us);
}

void DeviceTimes::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, reference_us, candidate_us, reference_host_us, candidate_host_us, hidden, differing);
}

void OutputComparison::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, wrong, max_error, first, expected, got);
}

void OutputTolerance::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, dtype, atol, rtol);
}

void DeviceDraw::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, variation, seed);
}

void DeviceFacts::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, name, uuid, bytes_per_second, matrix_ops_per_second);
}

}  // namespace tritonrl::runner
