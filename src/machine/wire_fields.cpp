// What of a launch goes between processes: its options, and what came of it.
#include "base/fields.h"
#include "machine/machine.h"

namespace tritonrl::machine {

std::span<const char* const> enum_names(Finding::Kind) {
  static constexpr const char* kNames[] = {
      "out_of_bounds", "misaligned", "race", "undefined_read", "assert", "timeout", "memory", "not_executable", "nan"};
  return kNames;
}

std::string to_string(Finding::Kind kind) {
  return base::enum_name(kind);
}

void MachineOptions::fields(base::FieldVisitor& field) {
  field("threads", threads);
  field("wall_ms", wall_ms);
  field("value_bytes", value_bytes);
  field("check_races", check_races);
  field("check_undefined", check_undefined);
  field("count", count);
  field("cover", cover);
  field("nan_origin", nan_origin);
  field("max_findings", max_findings);
  field("max_printed_bytes", max_printed_bytes);
}

void Finding::fields(base::FieldVisitor& field) {
  field("kind", kind);
  field("message", message);
  field("operation", operation);
  field("line", line);
  field("location", location);
  field("program", program);
  field("tensor", tensor);
  field("offset", offset);
}

void TensorTraffic::fields(base::FieldVisitor& field) {
  field("tensor", tensor);
  field("storage", storage);
  field("bytes", bytes);
  field("load_sectors", load_sectors);
  field("store_sectors", store_sectors);
  field("fresh_load_sectors", fresh_load_sectors);
  field("fresh_store_sectors", fresh_store_sectors);
  field("load_bytes", load_bytes);
  field("store_bytes", store_bytes);
  field("unique_load_bytes", unique_load_bytes);
  field("unique_store_bytes", unique_store_bytes);
  field("atomic_bytes", atomic_bytes);
}

void Counters::fields(base::FieldVisitor& field) {
  field("programs", programs);
  field("executed", executed);
  field("tensors", tensors);
  field("dot_ops", dot_ops);
  field("integer_ops", integer_ops);
  field("float_ops", float_ops);
  field("double_ops", double_ops);
  field("special_ops", special_ops);
  field("loads", loads);
  field("stores", stores);
  field("atomics", atomics);
  field("dots", dots);
  field("reductions", reductions);
  field("longest_loads", longest_loads);
  field("atomic_conflicts", atomic_conflicts);
  field("longest_steps", longest_steps);
}

}  // namespace tritonrl::machine
