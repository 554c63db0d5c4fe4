#include "optimize/module_result.h"

#include <cmath>
#include <cstdio>

#include "optimize/wording.h"

namespace tritonrl::optimize {
namespace {

// Speed-ups over one of the two: how many are above 1, and their geometric mean.
struct Over {
  int count = 0, faster = 0;
  double logarithms = 0;

  void add(double baseline_us, double kernel_us) {
    if (baseline_us <= 0 || kernel_us <= 0) return;
    ++count;
    faster += baseline_us > kernel_us ? 1 : 0;
    logarithms += std::log(baseline_us / kernel_us);
  }
  std::string text(const char* baseline) const {
    char out[120];
    std::snprintf(out, sizeof(out), "over %s: %d of %d faster, geometric mean %.2f\n", baseline, faster, count,
                  std::exp(logarithms / count));
    return count > 0 ? out : "";
  }
};

}  // namespace

void ModuleResult::fields(base::FieldVisitor& field) {
  field("id", id);
  field("module", module);
  field("proven", proven);
  field("faster", faster);
  field("timing", timing, base::kWhereSet);
  field("eager_us", eager_us, base::kWhereSet);
  field("compile_us", compile_us, base::kWhereSet);
  field("kernel_us", kernel_us, base::kWhereSet);
  field("source", source, base::kWhereSet);
  field("file", file, base::kWhereSet);
  field("problem", problem, base::kWhereSet);
  field("seconds", seconds);
  field("repeated", repeated, base::kWhereSet);
  field("without_time", without_time, base::kWhereSet);
  field("candidates", candidates);
}

ModuleResult result_of(const std::string& id, const Subject& subject, const Optimized& optimized,
                       const record::Verdict* reference, const std::string& file) {
  ModuleResult out;
  out.id = id;
  out.module = name_of(subject);
  out.file = file;
  out.seconds = optimized.seconds;
  out.repeated = optimized.repeated;
  out.without_time = optimized.without_time;
  for (const Tried& tried : optimized.tried) {
    const record::Verdict& verdict = tried.verdict;
    const bool passed = verdict.kind == record::VerdictKind::kPassed;
    out.candidates.push_back({.source = tried.candidate.source,
                              .kind = std::string(to_string(verdict.kind)),
                              .rule = verdict.rule,
                              .message = passed ? "" : first_line(verdict.message),
                              .us = verdict.timing ? verdict.timing->candidate_us : 0});
  }
  const Tried* best = optimized.best();
  const record::Verdict* timed = best != nullptr ? &best->verdict : reference;
  if (timed != nullptr && timed->timing) {
    out.timing = timed->timing->measured ? "measured" : "modelled";
    out.eager_us = timed->timing->reference_us;
    out.compile_us = timed->timing->compile_us.value_or(0);
  }
  if (best == nullptr) {
    out.problem = optimized.no_teacher;
    if (out.problem.empty() && !out.candidates.empty())
      out.problem = out.candidates.front().kind + ": " + out.candidates.front().message;
    if (out.problem.empty()) out.problem = "there was no time for a candidate";
    return out;
  }
  out.proven = true;
  out.faster = is_faster(best->verdict);
  out.source = best->candidate.source;
  if (best->verdict.timing) out.kernel_us = best->verdict.timing->candidate_us;
  return out;
}

ModuleResult refused(const std::string& id, const std::string& place, const std::string& problem) {
  ModuleResult out;
  out.id = id;
  out.module = place;
  out.problem = problem;
  return out;
}

std::string summary_text(std::span<const ModuleResult> results) {
  int proven = 0;
  Over eager, compiled;
  std::string timing;
  for (const ModuleResult& one : results) {
    proven += one.proven ? 1 : 0;
    eager.add(one.eager_us, one.kernel_us);
    compiled.add(one.compile_us, one.kernel_us);
    if (one.kernel_us > 0) timing = timing.empty() || timing == one.timing ? one.timing : "mixed";
  }
  return std::to_string(results.size()) + " modules: " + std::to_string(proven) + " proven" +
         (timing.empty() ? "" : ", times " + timing) + "\n" + eager.text("eager torch") +
         compiled.text("torch.compile");
}

}  // namespace tritonrl::optimize
