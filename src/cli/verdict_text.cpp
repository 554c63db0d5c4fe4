#include "cli/verdict_text.h"

#include <cstdio>

namespace tritonrl::cli {
namespace {

using record::Stage;
using record::Verdict;
using record::VerdictKind;
using Status = record::VariationResult::Status;

std::string number(double value, const char* format = "%.2f") {
  char text[64];
  std::snprintf(text, sizeof(text), format, value);
  return text;
}

// Every line of `text` behind `margin`, so that a message of several lines stays one block.
std::string indented(const std::string& text, const std::string& margin) {
  std::string out = margin;
  for (const char c : text) {
    out += c;
    if (c == '\n') out += margin;
  }
  while (!out.empty() && (out.back() == ' ' || out.back() == '\n')) out.pop_back();
  return out + "\n";
}

std::string_view meaning(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::kPassed:
      return "right on every input that was tried";
    case VerdictKind::kNoCode:
      return "the answer holds no code";
    case VerdictKind::kInvalid:
      return "the file cannot be a solution";
    case VerdictKind::kCompileError:
      return "it does not record at the task's shapes, or a kernel does not compile";
    case VerdictKind::kWrong:
      return "the results are wrong";
    case VerdictKind::kCrashed:
      return "it failed while it ran";
    case VerdictKind::kTimeout:
      return "it took too long";
    case VerdictKind::kCheated:
      return "its kernels are not the cause of the result";
    case VerdictKind::kInfrastructure:
      return "the judge failed, not the candidate: no reward, try again";
    case VerdictKind::kUnjudged:
      return "the task cannot be judged here, whatever the candidate: no reward";
  }
  return "";
}

std::string_view meaning(Stage stage) {
  switch (stage) {
    case Stage::kExtract:
      return "is there code in the answer?";
    case Stage::kAst:
      return "can the file be a solution?";
    case Stage::kCompile:
      return "does it record at the task's real shapes, and does every kernel compile?";
    case Stage::kTiny:
      return "is it right on the smallest shapes?";
    case Stage::kFull:
      return "is it right on all inputs?";
    case Stage::kTiming:
      return "how fast is it?";
  }
  return "";
}

std::string headline(const Verdict& verdict) {
  std::string out = std::string(to_string(verdict.kind)) + ": " + std::string(meaning(verdict.kind));
  if (verdict.kind == VerdictKind::kPassed) return out + "\n";
  out += " (stage " + std::string(to_string(verdict.stage));
  if (!verdict.rule.empty()) out += ", rule " + verdict.rule;
  return out + ")\n";
}

std::string reason(const Verdict& verdict) {
  std::string out;
  if (!verdict.message.empty()) out += indented(verdict.message, "  ");
  if (verdict.at) {
    out += "  at " + (verdict.at->file.empty() ? "the candidate" : verdict.at->file) + ":" +
           std::to_string(verdict.at->line) + "\n";
    if (!verdict.at->code.empty()) out += indented(verdict.at->code, "      ");
  }
  if (!verdict.expected.empty() || !verdict.got.empty())
    out += "  expected " + verdict.expected + ", got " + verdict.got + "\n";
  return out;
}

std::string timing(const record::Timing& timing) {
  std::string out = std::string(timing.measured ? "measured" : "modelled") + " on " + timing.target + ": speed-up " +
                    number(timing.speedup) + " (reference " + number(timing.reference_us, "%.1f") + " us, candidate " +
                    number(timing.candidate_us, "%.1f") + " us";
  if (timing.measured) out += ", variation " + number(100 * timing.cv, "%.1f") + " %";
  if (timing.compile_us) out += ", torch.compile " + number(*timing.compile_us, "%.1f") + " us";
  if (timing.baseline != "eager") out += "; over torch." + timing.baseline;
  return out + ")\n";
}

std::string live(const record::LiveResult& live) {
  std::string out = !live.agrees   ? "live: not known"
                    : *live.agrees ? "live: agrees with its recording"
                                   : "live: DIFFERS from its recording";
  if (live.max_error) out += ", largest error " + number(*live.max_error, "%.2g");
  if (live.speedup)
    out += ", speed-up " + number(*live.speedup) + " as called from Python (reference " +
           number(live.reference_wall_us.value_or(0), "%.1f") + " us, candidate " +
           number(live.wall_us.value_or(0), "%.1f") + " us)";
  return out + (live.message.empty() ? "\n" : "; " + live.message + "\n");
}

std::string worth(const Verdict& verdict) {
  std::string out = "reward " + (verdict.reward ? number(*verdict.reward, "%.3f") : std::string("none"));
  if (verdict.work_share) out += ", kernels do " + number(100 * *verdict.work_share, "%.0f") + " % of the work";
  double ms = 0;
  for (const auto& [stage, value] : verdict.ms) ms += value;
  out += "; policy " + verdict.policy + ", backend " + verdict.backend + ", judge " + verdict.judge_version;
  if (!verdict.sandbox.empty()) out += ", sandbox " + verdict.sandbox;
  return out + ", " + number(ms, "%.0f") + " ms\n";
}

std::string variation_line(const record::VariationResult& variation) {
  char line[128];
  std::snprintf(line, sizeof(line), "  %-15s %-14s", variation.name.c_str(),
                std::string(to_string(variation.status)).c_str());
  std::string out = line;
  if (variation.max_error) out += " largest error " + number(*variation.max_error, "%.2g");
  if (!variation.message.empty()) out += (variation.max_error ? "; " : " ") + variation.message;
  while (out.back() == ' ') out.pop_back();
  return out + "\n";
}

std::string variations_in_short(const Verdict& verdict) {
  std::string out;
  for (const record::VariationResult& variation : verdict.variations) {
    out += (out.empty() ? "inputs: " : ", ") + variation.name;
    if (variation.status == Status::kFailed) out += " FAILED";
    if (variation.status == Status::kNotApplicable) out += " (does not apply)";
  }
  return out.empty() ? out : out + "\n";
}

}  // namespace

std::string summary_text(const Verdict& verdict) {
  std::string out = headline(verdict) + reason(verdict);
  if (!verdict.advice.empty()) out += indented("to change: " + verdict.advice, "  ");
  out += variations_in_short(verdict);
  if (verdict.timing) out += timing(*verdict.timing);
  if (verdict.live) out += live(*verdict.live);
  for (const std::string& note : verdict.notes) out += "note: " + note + "\n";
  return out + worth(verdict);
}

std::string explanation_text(const Verdict& verdict) {
  std::string out = headline(verdict);
  out += "\nWhy\n";
  const std::string why = reason(verdict);
  out += why.empty() ? "  " + std::string(meaning(verdict.kind)) + "\n" : why;
  out += "  last stage: " + std::string(to_string(verdict.stage)) + " - " + std::string(meaning(verdict.stage)) + "\n";
  if (!verdict.advice.empty()) out += "\nWhat to change\n" + indented(verdict.advice, "  ");
  if (!verdict.checks.empty()) out += "\nWhat was checked\n";
  for (const record::CheckResult& check : verdict.checks) {
    out += std::string("  ") + (check.passed ? "ok      " : "FAILED  ") + check.name;
    out += check.detail.empty() ? "\n" : ": " + indented(check.detail, "          ").substr(10);
  }
  if (!verdict.variations.empty()) out += "\nInputs\n";
  for (const record::VariationResult& variation : verdict.variations) out += variation_line(variation);
  out += "\nWorth\n";
  if (verdict.timing) out += "  " + timing(*verdict.timing);
  if (verdict.live) out += "  " + live(*verdict.live);
  out += "  " + worth(verdict);
  if (verdict.plan_reward || verdict.code_reward) {
    out += "  plan reward " + (verdict.plan_reward ? number(*verdict.plan_reward) : "none") + ", code reward " +
           (verdict.code_reward ? number(*verdict.code_reward) : "none") + "\n";
  }
  for (const auto& [stage, ms] : verdict.ms) out += "  " + stage + " took " + number(ms, "%.1f") + " ms\n";
  for (const std::string& note : verdict.notes) out += "  note: " + note + "\n";
  return out;
}

}  // namespace tritonrl::cli
