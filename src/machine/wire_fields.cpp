// What of a launch goes between processes: its options, and what came of it.
#include "base/fields.h"
#include "machine/launch_model.h"
#include "machine/machine.h"

namespace tritonrl::machine {

std::span<const char* const> enum_names(Finding::Kind) {
  static constexpr const char* kNames[] = {"out_of_bounds", "misaligned",     "race",   "undefined_read",
                                           "masked_value",  "false_hint",     "assert", "timeout",
                                           "memory",        "not_executable", "nan"};
  return kNames;
}

std::string to_string(Finding::Kind kind) {
  return base::enum_name(kind);
}

void MachineOptions::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, threads, wall_ms, value_bytes, check_races, check_undefined, go_on, check_hints, warps,
             check_orders, check_masked, count, cover, nan_origin, max_findings, max_printed_bytes);
}

void Finding::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, kind, message, operation, line, location, program, tensor, offset, times);
}

void TensorTraffic::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, tensor, storage, bytes, load_sectors, store_sectors, fresh_load_sectors, fresh_store_sectors,
             load_bytes, store_bytes, unique_load_bytes, unique_store_bytes, atomic_bytes, most_store_bytes);
}

void Counters::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, programs, executed, tensors, dot_ops, integer_ops, float_ops, double_ops, special_ops, loads,
             stores, atomics, dots, reductions, longest_loads, atomic_conflicts, loaded_again, longest_steps);
}

void LaunchTime::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, seconds, memory, l2, l1, copies, arithmetic, matrix, latency, atomics, occupancy, waves);
}

}  // namespace tritonrl::machine
