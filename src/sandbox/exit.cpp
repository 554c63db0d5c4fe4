#include "sandbox/exit.h"

#include <algorithm>

#include "base/fields.h"

namespace tritonrl::sandbox {

bool starved(const Exit& exit, std::int64_t limit_ms) {
  constexpr std::int64_t kEnoughToTell = 1000;
  const std::int64_t three_times = 3 * exit.cpu_ms;
  return exit.wanted_ms > std::max(std::min(kEnoughToTell, limit_ms / 2), three_times) && three_times < limit_ms;
}

std::span<const char* const> enum_names(Exit::Kind) {
  static constexpr const char* kNames[] = {"exited", "signaled", "timed_out", "cancelled", "infrastructure"};
  return kNames;
}

std::string to_string(Exit::Kind kind) {
  return base::enum_name(kind);
}

void Exit::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, kind, code, message, cpu_ms, wanted_ms, peak_bytes);
}

std::string to_json(const Exit& exit) {
  return base::to_json(exit).dump();
}

Exit exit_from_json(const std::string& text) {
  base::Result<Exit> exit = base::from_json<Exit>(text, "exit");
  if (exit.ok()) return std::move(exit).value();
  return {.message = text.empty() ? "the keeper ended without a word" : "the keeper said: " + text};
}

}  // namespace tritonrl::sandbox
