#include "optimize/wording.h"

#include <cstdio>
#include <filesystem>
#include <set>

namespace tritonrl::optimize {
namespace {

using record::Verdict;
using record::VerdictKind;

constexpr int kSourceWidth = 52, kVerdictWidth = 30;

std::string number(double value, const char* format = "%.2f") {
  char text[64];
  std::snprintf(text, sizeof(text), format, value);
  return text;
}

std::string padded(std::string text, int width) {
  const auto wanted = static_cast<std::size_t>(width);
  if (text.size() > wanted) text = text.substr(0, wanted - 3) + "...";
  text.resize(wanted, ' ');
  return text;
}

std::string outcome_of(const Verdict& verdict) {
  return std::string(to_string(verdict.kind)) + (verdict.rule.empty() ? "" : ": " + verdict.rule);
}

std::string line(const std::string& what, const std::string& outcome, const Verdict& verdict) {
  std::string out = "  " + padded(what, kSourceWidth) + " " + padded(outcome, kVerdictWidth);
  if (verdict.timing) {
    out += " " + number(verdict.timing->speedup, "%6.2f") + (verdict.timing->measured ? "  measured" : "  modelled");
  }
  out.erase(out.find_last_not_of(' ') + 1);
  return out;
}

std::string failures_text(const Subject& subject, const Optimized& optimized) {
  std::string out = "no kernel for " + name_of(subject) + " was proven\n";
  if (!optimized.no_teacher.empty()) out += "  teacher: " + optimized.no_teacher + "\n";
  std::set<std::string> said;
  for (const Tried& tried : optimized.tried) {
    out += "  " + tried.candidate.source + ": " + outcome_of(tried.verdict);
    if (!tried.failed_at.empty()) out += ", but not right at " + tried.failed_at;
    out += "\n";
    const std::string why = first_line(tried.verdict.message) +
                            (tried.verdict.advice.empty() ? "" : "; to change: " + first_line(tried.verdict.advice));
    if (tried.verdict.kind != VerdictKind::kPassed && !why.empty())
      out += "      " + (said.insert(why).second ? why : std::string("for the same reason")) + "\n";
  }
  for (const RangeProof& proof : optimized.ranges) {
    if (!proof.right()) out += "  at " + sizes_text(proof.sizes) + ": " + first_line(proof.verdict.message) + "\n";
  }
  if (optimized.tried.empty() && optimized.without_time == 0) out += "  there was no candidate to judge\n";
  return out;
}

}  // namespace

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

std::string name_of(const Subject& subject) {
  const std::size_t colon = subject.place.rfind(':');
  const std::string file = colon == std::string::npos ? subject.place : subject.place.substr(0, colon);
  return std::filesystem::path(file).filename().string() + ":" + subject.entry_point;
}

std::string sizes_text(const Sizes& sizes) {
  std::string out;
  for (const auto& [name, size] : sizes) out += (out.empty() ? "" : ", ") + name + " = " + std::to_string(size);
  return out;
}

std::string table_head() {
  return "  " + padded("candidate", kSourceWidth) + " " + padded("verdict", kVerdictWidth) + " speed-up";
}

std::string table_line(const Tried& tried) {
  return line(tried.candidate.source, outcome_of(tried.verdict), tried.verdict);
}

std::string table_line(const RangeProof& proof) {
  return line(proof.which + ": " + sizes_text(proof.sizes), outcome_of(proof.verdict), proof.verdict);
}

std::string speed_text(const Verdict& verdict) {
  if (!verdict.timing) return "not timed";
  const record::Timing& timing = *verdict.timing;
  const double over_eager = timing.candidate_us > 0 ? timing.reference_us / timing.candidate_us : 0;
  std::string out = number(over_eager) + " times eager torch (" + (timing.measured ? "measured" : "modelled") + " on " +
                    timing.target + ": " + number(timing.reference_us, "%.1f") + " us to " +
                    number(timing.candidate_us, "%.1f") + " us";
  if (timing.compile_us) out += "; torch.compile " + number(*timing.compile_us, "%.1f") + " us";
  return out + ")";
}

std::string summary_text(const Subject& subject, const Optimized& optimized) {
  const Tried* best = optimized.best();
  std::string out;
  if (best == nullptr) {
    out = failures_text(subject, optimized);
  } else {
    const std::string fast = speed_text(best->verdict);
    if (is_faster(best->verdict)) {
      out = "fastest: " + best->candidate.source + ", " + fast + "\n";
    } else {
      const bool compiled = best->verdict.timing && best->verdict.timing->compile_us &&
                            *best->verdict.timing->compile_us < best->verdict.timing->reference_us;
      out = std::string(compiled ? "torch.compile" : "eager torch") +
            " is the better choice: the best proven kernel, " + best->candidate.source + ", is " + fast + "\n";
    }
    for (const std::string& note : best->verdict.notes) out += "note: " + note + "\n";
    if (!best->verdict.degenerate.empty()) out += "note: " + best->verdict.degenerate + "\n";
    for (const RangeProof& proof : optimized.ranges) {
      if (proof.right() && !is_faster(proof.verdict))
        out += "note: at " + sizes_text(proof.sizes) +
               " eager torch is the better choice: " + speed_text(proof.verdict) + "\n";
    }
  }
  if (optimized.without_time > 0)
    out += "note: for " + std::to_string(optimized.without_time) +
           " candidates there was no time; give more by --budget-seconds\n";
  return out;
}

}  // namespace tritonrl::optimize
