#include "record/sample_result.h"

namespace tritonrl::record {

bool SampleResult::passing() const {
  return kind == VerdictKind::kInfrastructure && rule != kBadTask;
}

bool SampleResult::valid() const {
  return judged() && kind != VerdictKind::kNoCode && kind != VerdictKind::kInvalid && kind != VerdictKind::kCheated;
}

bool SampleResult::compiled() const {
  return valid() && stage != Stage::kExtract && stage != Stage::kAst && stage != Stage::kCompile;
}

std::string SampleResult::outcome() const {
  if (kind == VerdictKind::kNoCode) return rule.empty() ? "extraction" : rule;
  const std::string name(to_string(kind));
  return rule.empty() || kind == VerdictKind::kPassed ? name : name + ": " + rule;
}

void SampleResult::take(const Sample& sample) {
  index = sample.index;
  finish = name_of(sample.finish);
  prompt_tokens = static_cast<std::int64_t>(sample.prompt.size());
  tokens = static_cast<std::int64_t>(sample.tokens.size());
  seed = sample.seed;
  text = sample.text;
}

void SampleResult::take(const Verdict& verdict) {
  kind = verdict.kind;
  stage = verdict.stage;
  rule = verdict.rule;
  reward = verdict.reward;
  message = verdict.message;
  judge_version = verdict.judge_version;
  if (degenerate.empty()) degenerate = verdict.degenerate;
  if (!correct() || !verdict.timing) return;
  speedup = verdict.timing->speedup;
  measured = verdict.timing->measured;
  candidate_us = verdict.timing->candidate_us;
  baseline_us = *candidate_us * *speedup;
}

void SampleResult::fields(base::FieldVisitor& field) {
  field("id", id);
  field("level", level);
  field("degenerate", degenerate, base::kWhereSet);
  field("index", index);
  field("greedy", greedy, base::kMayLack);
  field("kind", kind);
  field("stage", stage);
  field("rule", rule, base::kMayLack);
  field("reward", reward);
  field("message", message, base::kMayLack);
  field("speedup", speedup, base::kMayLack);
  field("baseline_us", baseline_us, base::kWhereSet);
  field("candidate_us", candidate_us, base::kWhereSet);
  field("measured", measured, base::kMayLack);
  field("extraction", extraction, base::kMayLack);
  field("finish", finish, base::kMayLack);
  field("prompt_tokens", prompt_tokens, base::kMayLack);
  field("tokens", tokens, base::kMayLack);
  field("seed", seed, base::kMayLack);
  field("program", program, base::kMayLack);
  field("judge_version", judge_version, base::kMayLack);
  field("text", text, base::kMayLack);
}

base::Result<SampleResult> sample_result_from_json(std::string_view line) {
  return base::from_json<SampleResult>(line, "the result");
}

}  // namespace tritonrl::record
