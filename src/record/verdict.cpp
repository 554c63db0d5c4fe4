#include "record/verdict.h"

#include "base/fields.h"

namespace tritonrl::record {

using base::kMayLack, base::kWhereSet;

std::span<const char* const> enum_names(VerdictKind) {
  static constexpr const char* kNames[] = {"passed",  "no_code", "invalid", "compile_error",  "wrong",
                                           "crashed", "timeout", "cheated", "infrastructure", "unjudged"};
  return kNames;
}

bool is_judged(VerdictKind kind) {
  return kind != VerdictKind::kInfrastructure && kind != VerdictKind::kUnjudged;
}

std::span<const char* const> enum_names(Stage) {
  static constexpr const char* kNames[] = {"extract", "ast", "compile", "tiny", "full", "timing"};
  return kNames;
}

std::span<const char* const> enum_names(VariationResult::Status) {
  static constexpr const char* kNames[] = {"passed", "failed", "not_applicable"};
  return kNames;
}

std::string_view to_string(VerdictKind kind) {
  return base::enum_name(kind);
}

std::string_view to_string(Stage stage) {
  return base::enum_name(stage);
}

std::string_view to_string(VariationResult::Status status) {
  return base::enum_name(status);
}

void VariationResult::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, name, status, max_error);
  field("message", message, kWhereSet);
  field("size", size, kWhereSet);
}

void Timing::fields(base::FieldVisitor& field) {
  static constexpr const char* kModes[] = {"modelled", "measured"};
  std::string mode = kModes[measured ? 1 : 0];
  field("mode", mode, {.choices = kModes});
  if (!field.writes()) measured = mode == kModes[1];
  TRL_FIELDS(field, speedup, cv, reference_us, candidate_us, target);
  field("trials", trials, kWhereSet);
  if (trials == 0) return;  // nothing was measured
  TRL_FIELDS(field, speedup_low, speedup_high, reference_host_us, candidate_host_us);
  field("modelled_speedup", modelled_speedup, kWhereSet);
  field("device", device, kMayLack);
  field("floor_us", floor_us, kWhereSet);
  field("baseline", baseline, kMayLack);
  field("compile_us", compile_us, kWhereSet);
  field("speedup_over_compile", speedup_over_compile, kWhereSet);
}

void LiveResult::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, agrees, wall_us, reference_wall_us, speedup, max_error, message);
}

void SourcePlace::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, file, line, code);
}

void CheckResult::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, name, passed, detail);
}

void Verdict::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, kind, stage, rule, message, reward, policy, backend, variations, timing, work_share, ms,
             judge_version);
  // beyond the contract
  field("plan_reward", plan_reward, kWhereSet);
  field("code_reward", code_reward, kWhereSet);
  field("at", at, kWhereSet);
  field("expected", expected, kWhereSet);
  field("got", got, kWhereSet);
  field("advice", advice, kWhereSet);
  field("checks", checks, kWhereSet);
  field("notes", notes, kWhereSet);
  field("sandbox", sandbox, kWhereSet);
  field("protocol", protocol, kWhereSet);
  field("rtol", rtol, kWhereSet);
  field("atol", atol, kWhereSet);
  field("sizes", sizes, kWhereSet);
  field("degenerate", degenerate, kWhereSet);
  field("unseen", unseen, kWhereSet);
  field("live", live, kWhereSet);
}

std::string to_json(const Verdict& verdict) {
  return base::to_json(verdict).dump();
}

base::Result<Verdict> verdict_from_json(std::string_view text) {
  return base::from_json<Verdict>(text, "verdict");
}

}  // namespace tritonrl::record
