#include "sandbox/policy.h"

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace tritonrl::sandbox {
namespace {

using nlohmann::json;

const json& member(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end()) throw base::UserError("sandbox", std::string("policy: no field ") + name);
  return *found;
}

[[noreturn]] void wrong_type(const char* name, const char* wanted) {
  throw base::UserError("sandbox", std::string("policy: field ") + name + " is not " + wanted);
}

const json& object_field(const json& object, const char* name) {
  const json& value = member(object, name);
  if (!value.is_object()) wrong_type(name, "an object");
  return value;
}

void read(const json& object, const char* name, bool& into) {
  const json& value = member(object, name);
  if (!value.is_boolean()) wrong_type(name, "true or false");
  into = value.get<bool>();
}

void read(const json& object, const char* name, std::int64_t& into) {
  const json& value = member(object, name);
  if (!value.is_number_integer()) wrong_type(name, "an integer");
  into = value.get<std::int64_t>();
  if (into < 0) wrong_type(name, "zero or more");
}

void read(const json& object, const char* name, std::string& into) {
  const json& value = member(object, name);
  if (!value.is_string()) wrong_type(name, "a string");
  into = value.get<std::string>();
}

void read(const json& object, const char* name, std::vector<std::string>& into) {
  const json& value = member(object, name);
  if (!value.is_array()) wrong_type(name, "a list of strings");
  into.clear();
  for (const json& item : value) {
    if (!item.is_string()) wrong_type(name, "a list of strings");
    into.push_back(item.get<std::string>());
  }
}

// One list of fields for both directions.
template <typename Object, typename Visit>
void visit_protections(Object& protections, Visit&& visit) {
  visit("namespaces", protections.namespaces);
  visit("landlock", protections.landlock);
  visit("seccomp", protections.seccomp);
  visit("limits", protections.limits);
  visit("descriptors", protections.descriptors);
  visit("group", protections.group);
}

template <typename Object, typename Visit>
void visit_fields(Object& policy, Visit&& visit) {
  visit("memory_bytes", policy.memory_bytes);
  visit("address_bytes", policy.address_bytes);
  visit("scratch_bytes", policy.scratch_bytes);
  visit("scratch_files", policy.scratch_files);
  visit("wall_ms", policy.wall_ms);
  visit("cpu_seconds", policy.cpu_seconds);
  visit("open_files", policy.open_files);
  visit("threads", policy.threads);
  visit("processes", policy.processes);
  visit("readable", policy.readable);
  visit("devices", policy.devices);
  visit("scratch", policy.scratch);
}

Level level_from(const std::string& name) {
  for (const Level level : {Level::kFull, Level::kLandlock, Level::kNone}) {
    if (to_string(level) == name) return level;
  }
  wrong_type("level", "full, landlock or none");
}

}  // namespace

bool namespaced(const Policy& policy) {
  return policy.level == Level::kFull && policy.protections.namespaces;
}

std::string to_json(const Policy& policy) {
  json protections;
  visit_protections(policy.protections, [&](const char* name, bool value) { protections[name] = value; });
  json out = {{"level", to_string(policy.level)}, {"protections", protections}};
  visit_fields(policy, [&](const char* name, const auto& value) { out[name] = value; });
  return out.dump(-1, ' ', /*ensure_ascii=*/false, json::error_handler_t::replace);
}

Policy policy_from_json(const std::string& text) {
  const json in = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!in.is_object()) throw base::UserError("sandbox", "policy: not a JSON object");
  Policy policy;
  std::string level;
  read(in, "level", level);
  policy.level = level_from(level);
  const json& protections = object_field(in, "protections");
  visit_protections(policy.protections, [&](const char* name, auto& value) { read(protections, name, value); });
  visit_fields(policy, [&](const char* name, auto& value) { read(in, name, value); });
  return policy;
}

std::string to_string(Level level) {
  switch (level) {
    case Level::kFull:
      return "full";
    case Level::kLandlock:
      return "landlock";
    case Level::kNone:
      return "none";
  }
  return "none";
}

}  // namespace tritonrl::sandbox
