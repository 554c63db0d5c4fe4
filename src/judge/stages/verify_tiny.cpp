#include "judge/stages/verify_tiny.h"

#include <algorithm>

namespace tritonrl::judge {
namespace {

constexpr std::int64_t kLongestTiny = 6'000;  // milliseconds have been seen: one that has no end is known by then

}  // namespace

void Verified::add(const SizedCandidate& candidate, const DrawResult& result) {
  coverage.add(candidate.program(), candidate.compiled, result.launches,
               static_cast<int>(candidate.program().forwards.size()) - 1);
}

Reached<Verified> verify_tiny(const Trial& trial, const Compiled& compiled, TrialLog& log) {
  Verified out;
  if (!trial.task->tiny || !compiled.tiny) return out;
  const SizedTask& size = *trial.task->tiny;
  SizedCandidate tiny = *compiled.tiny;
  if (const std::string refusal = tiny.refusal(); !refusal.empty()) {
    log.told.notes.push_back("tiny: the candidate refuses these sizes: " + refusal);
    return out;
  }
  log.passed("tiny sizes accepted");
  CandidateRun runs = trial.runs_at(size, kLongestTiny);
  const int variants = std::min(kMaxVariants, variants_of(tiny.compiled));
  for (int variant = 0; variant < variants; ++variant) {
    const DrawResult result = runs.judge(tiny, {size.find("original")}, variant).front();
    if (!result.not_applicable.empty()) return out;
    if (result.refuses_size()) {
      log.told.notes.push_back("tiny: the hardware refuses these sizes: " + result.message);
      return out;
    }
    if (!result.right()) {
      const Finding wrong = finding_of(result);
      if (depends_on_size(result)) out.own = find_own_sizes(trial, compiled, wrong);
      if (!out.own) return log.refuse(wrong);
      out.variants.clear();  // they are tried where values are judged
      return out;
    }
    log.passed("tiny", variants > 1 ? "configuration " + std::to_string(variant) : "");
    out.variants.insert(variant);
    out.add(tiny, result);
  }
  return out;
}

}  // namespace tritonrl::judge
