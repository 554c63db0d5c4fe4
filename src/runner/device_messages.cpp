#include "runner/device_messages.h"

#include "base/fields.h"

namespace tritonrl::runner {

void SharedTensor::fields(base::FieldVisitor& field) {
  field("bytes", bytes);
  field("sizes", sizes);
  field("dtype", dtype);
}

void DrawAnswer::fields(base::FieldVisitor& field) {
  field("not_applicable", not_applicable, base::kWhereSet);
  field("inputs", inputs);
  field("outputs", outputs);
}

void RunOrder::fields(base::FieldVisitor& field) {
  field("seed", seed);
  field("tune", tune);
  field("inputs", inputs);
  field("outputs", outputs);
}

void RunAnswer::fields(base::FieldVisitor& field) {
  field("broken_fences", broken_fences);
  field("tuned", tuned);
}

void CompareOrder::fields(base::FieldVisitor& field) {
  field("outputs", outputs);
}

void CompareAnswer::fields(base::FieldVisitor& field) {
  field("outputs", outputs);
}

void DeviceTimingOptions::fields(base::FieldVisitor& field) {
  field("warmup", warmup);
  field("trials", trials);
  field("use_events", use_events);
  field("budget_ms", budget_ms);
  field("secret", secret);
  field("reference_us", reference_us);
}

void DeviceTimes::fields(base::FieldVisitor& field) {
  field("reference_us", reference_us);
  field("candidate_us", candidate_us);
  field("reference_host_us", reference_host_us);
  field("candidate_host_us", candidate_host_us);
  field("hidden", hidden);
  field("differing", differing);
}

void OutputComparison::fields(base::FieldVisitor& field) {
  field("wrong", wrong);
  field("max_error", max_error);
  field("first", first);
  field("expected", expected);
  field("got", got);
}

void OutputTolerance::fields(base::FieldVisitor& field) {
  field("dtype", dtype);
  field("atol", atol);
  field("rtol", rtol);
}

void DeviceDraw::fields(base::FieldVisitor& field) {
  field("variation", variation);
  field("seed", seed);
}

void DeviceFacts::fields(base::FieldVisitor& field) {
  field("name", name);
  field("uuid", uuid);
  field("bytes_per_second", bytes_per_second);
  field("matrix_ops_per_second", matrix_ops_per_second);
}

}  // namespace tritonrl::runner
