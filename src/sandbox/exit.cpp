#include "sandbox/exit.h"

#include <nlohmann/json.hpp>

namespace tritonrl::sandbox {

using nlohmann::json;

std::string to_string(Exit::Kind kind) {
  switch (kind) {
    case Exit::Kind::kExited:
      return "exited";
    case Exit::Kind::kSignaled:
      return "signaled";
    case Exit::Kind::kTimedOut:
      return "timed_out";
    case Exit::Kind::kCancelled:
      return "cancelled";
    case Exit::Kind::kInfrastructure:
      return "infrastructure";
  }
  return "infrastructure";
}

std::string to_json(const Exit& exit) {
  const json out = {{"kind", to_string(exit.kind)},
                    {"code", exit.code},
                    {"message", exit.message},
                    {"cpu_ms", exit.cpu_ms},
                    {"peak_bytes", exit.peak_bytes}};
  return out.dump(-1, ' ', /*ensure_ascii=*/false, json::error_handler_t::replace);
}

Exit exit_from_json(const std::string& text) {
  const json in = json::parse(text, nullptr, /*allow_exceptions=*/false);
  const Exit unreadable{.message = text.empty() ? "the keeper ended without a word" : "the keeper said: " + text};
  if (!in.is_object()) return unreadable;
  for (const char* name : {"code", "cpu_ms", "peak_bytes"}) {
    if (!in.contains(name) || !in[name].is_number_integer()) return unreadable;
  }
  for (const char* name : {"kind", "message"}) {
    if (!in.contains(name) || !in[name].is_string()) return unreadable;
  }
  for (const auto kind : {Exit::Kind::kExited, Exit::Kind::kSignaled, Exit::Kind::kTimedOut, Exit::Kind::kCancelled,
                          Exit::Kind::kInfrastructure}) {
    if (to_string(kind) != in["kind"].get<std::string>()) continue;
    return {.kind = kind,
            .code = in["code"].get<int>(),
            .message = in["message"].get<std::string>(),
            .cpu_ms = in["cpu_ms"].get<std::int64_t>(),
            .peak_bytes = in["peak_bytes"].get<std::int64_t>()};
  }
  return unreadable;
}

}  // namespace tritonrl::sandbox
