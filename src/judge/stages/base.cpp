#include "judge/stages/base.h"

#include <algorithm>

#include "judge/rules/names.h"
#include "judge/rules/rule_table.h"
#include "judge/stages/record.h"

namespace tritonrl::judge {
namespace {

constexpr std::int64_t kManyPrograms = 8192;  // of a forward: a size with fewer shows the same in less time

// Of the last forward, as the first configuration has it.
std::int64_t programs_of(const SizedCandidate& candidate) {
  std::int64_t out = 0;
  for (const program::Step& step : candidate.program().forwards.back().steps) {
    const auto* launch = std::get_if<program::Launch>(&step);
    if (launch == nullptr || launch->variants.empty()) continue;
    const auto [x, y, z] = launch->variants.front().grid;
    out += x * y * z;
  }
  return out;
}

}  // namespace

Reached<std::optional<Base>> base_at(const Trial& trial, std::shared_ptr<const SizedTask> size) {
  const std::optional<Base> nothing;
  if (!size) return nothing;
  python::RecordRequest request = trial.request_at(*size);
  const Draw* draw = size->find("original");
  request.answer = trial.tools.replayer.answerer({.seed = draw->seed, .inputs = draw->inputs, .budget = trial.budget});
  SizedCandidate candidate = trial.sized(trial.tools.replayer.recorder().record(request, trial.record_limits()));
  if (auto finding = intrusion_in(candidate.recording)) return *std::move(finding);
  if (!candidate.refusal().empty()) return nothing;
  if (!trial.submission.reference_itself) {
    Evidence evidence = trial.evidence();
    evidence.reference = &size->reference;
    evidence.candidate = &candidate.program();
    if (auto finding = first_broken({LooksAt::kAnyRecording}, evidence)) return *std::move(finding);
  }
  return std::optional(Base{std::move(size), std::move(candidate)});
}

Reached<Base> choose_base(const Trial& trial, SizedCandidate small, TrialLog& log) {
  Referee& referee = trial.tools.referee;
  const std::string refusal = small.refusal();
  if (refusal.empty()) {
    if (programs_of(small) > kManyPrograms) {
      auto lighter = base_at(trial, referee.lighter(*trial.task));
      if (!lighter) return log.refuse(lighter.finding());
      if (*lighter) return *std::move(*lighter);
    }
    return Base{std::shared_ptr<const SizedTask>(trial.task, &*trial.task->small), std::move(small)};
  }
  for (std::size_t i = 0; i < std::min(kMaxLarger, referee.larger_sizes(*trial.task)); ++i) {
    auto larger = base_at(trial, referee.larger(*trial.task, i));
    if (!larger) return log.refuse(larger.finding());
    if (*larger) return *std::move(*larger);
  }
  return log.refuse(broken(rules::kUnverified,
                           {.message = "the candidate refuses every size that can be computed here: " + refusal}));
}

}  // namespace tritonrl::judge
