#include "sandbox/policy.h"

#include "base/error.h"
#include "base/fields.h"

namespace tritonrl::sandbox {

std::span<const char* const> enum_names(Level) {
  static constexpr const char* kNames[] = {"full", "landlock", "none"};
  return kNames;
}

std::string to_string(Level level) {
  return base::enum_name(level);
}

void Protections::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, namespaces, landlock, seccomp, limits, descriptors, group);
}

void Policy::fields(base::FieldVisitor& field) {
  constexpr base::FieldNotes kCount{.least = 0};
  TRL_FIELDS(field, level, protections);
  field("memory_bytes", memory_bytes, kCount);
  field("address_bytes", address_bytes, kCount);
  field("scratch_bytes", scratch_bytes, kCount);
  field("scratch_files", scratch_files, kCount);
  field("wall_ms", wall_ms, kCount);
  field("cpu_seconds", cpu_seconds, kCount);
  field("open_files", open_files, kCount);
  field("threads", threads, kCount);
  TRL_FIELDS(field, processes, readable, devices, scratch);
}

bool namespaced(const Policy& policy) {
  return policy.level == Level::kFull && policy.protections.namespaces;
}

std::string to_json(const Policy& policy) {
  return base::to_json(policy).dump();
}

Policy policy_from_json(const std::string& text) {
  base::Result<Policy> policy = base::from_json<Policy>(text, "policy");
  if (!policy.ok()) throw base::UserError("sandbox", policy.error());
  return std::move(policy).value();
}

}  // namespace tritonrl::sandbox
