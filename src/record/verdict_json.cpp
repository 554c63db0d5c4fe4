#include <cmath>
#include <nlohmann/json.hpp>

#include "record/verdict.h"

namespace tritonrl::record {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no NaN and no infinities.
Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json number(const std::optional<double>& value) {
  return value ? number(*value) : Json(nullptr);
}

Json to_json(const VariationResult& variation) {
  Json out = {{"name", variation.name}, {"status", to_string(variation.status)}};
  out["max_error"] = number(variation.max_error);
  if (!variation.message.empty()) out["message"] = variation.message;
  if (!variation.size.empty()) out["size"] = variation.size;
  return out;
}

Json to_json(const Timing& timing) {
  Json out = {{"mode", timing.measured ? "measured" : "modelled"},
              {"speedup", number(timing.speedup)},
              {"cv", number(timing.cv)},
              {"reference_us", number(timing.reference_us)},
              {"candidate_us", number(timing.candidate_us)},
              {"target", timing.target}};
  if (timing.trials == 0) return out;
  out["trials"] = timing.trials;
  out["speedup_low"] = number(timing.speedup_low);
  out["speedup_high"] = number(timing.speedup_high);
  out["reference_host_us"] = number(timing.reference_host_us);
  out["candidate_host_us"] = number(timing.candidate_host_us);
  if (timing.modelled_speedup) out["modelled_speedup"] = number(timing.modelled_speedup);
  out["device"] = timing.device;
  if (timing.floor_us) out["floor_us"] = number(timing.floor_us);
  out["baseline"] = timing.baseline;
  if (timing.compile_us) out["compile_us"] = number(timing.compile_us);
  if (timing.speedup_over_compile) out["speedup_over_compile"] = number(timing.speedup_over_compile);
  return out;
}

Json to_json(const LiveResult& live) {
  return {{"agrees", live.agrees ? Json(*live.agrees) : Json(nullptr)},
          {"wall_us", number(live.wall_us)},
          {"reference_wall_us", number(live.reference_wall_us)},
          {"speedup", number(live.speedup)},
          {"max_error", number(live.max_error)},
          {"message", live.message}};
}

void add_extra_fields(const Verdict& verdict, Json& out) {
  if (verdict.plan_reward) out["plan_reward"] = number(verdict.plan_reward);
  if (verdict.code_reward) out["code_reward"] = number(verdict.code_reward);
  if (verdict.at) out["at"] = {{"file", verdict.at->file}, {"line", verdict.at->line}, {"code", verdict.at->code}};
  if (!verdict.expected.empty()) out["expected"] = verdict.expected;
  if (!verdict.got.empty()) out["got"] = verdict.got;
  if (!verdict.advice.empty()) out["advice"] = verdict.advice;
  for (const CheckResult& check : verdict.checks) {
    out["checks"].push_back({{"name", check.name}, {"passed", check.passed}, {"detail", check.detail}});
  }
  if (!verdict.notes.empty()) out["notes"] = verdict.notes;
  if (!verdict.sandbox.empty()) out["sandbox"] = verdict.sandbox;
  if (verdict.live) out["live"] = to_json(*verdict.live);
}

}  // namespace

std::string to_json(const Verdict& verdict) {
  Json variations = Json::array();
  for (const VariationResult& variation : verdict.variations) variations.push_back(to_json(variation));
  Json ms = Json::object();
  for (const auto& [stage, value] : verdict.ms) ms[stage] = number(value);
  Json out;
  out["kind"] = to_string(verdict.kind);
  out["stage"] = to_string(verdict.stage);
  out["rule"] = verdict.rule;
  out["message"] = verdict.message;
  out["reward"] = number(verdict.reward);
  out["policy"] = verdict.policy;
  out["backend"] = verdict.backend;
  out["variations"] = std::move(variations);
  out["timing"] = verdict.timing ? to_json(*verdict.timing) : Json(nullptr);
  out["work_share"] = number(verdict.work_share);
  out["ms"] = std::move(ms);
  out["judge_version"] = verdict.judge_version;
  add_extra_fields(verdict, out);
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tritonrl::record
