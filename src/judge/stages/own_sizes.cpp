#include "judge/stages/own_sizes.h"

#include <algorithm>

#include "judge/kernel_tiles.h"
#include "judge/rules/names.h"
#include "judge/stages/sample.h"

namespace tritonrl::judge {
namespace {

constexpr std::size_t kMostTried = 12;      // sizes
constexpr std::size_t kMostWithoutAny = 6;  // before one at which it is right: what is honest is right at most of them
constexpr int kConfirmed = 2;

// No other size needs to confirm it: the task's own are computed.
bool enough(const Trial& trial, const Base& base) {
  return trial.tools.device != nullptr || base.task->task.source == trial.task->task.source;
}

// A few programs of each launch at the task's own sizes touch nothing but their tensors. Where they do not, no other
// size is worth a look: such a kernel may be the most frequent answer of a young model.
bool in_bounds_at_own_sizes(const Trial& trial, const SizedCandidate& real) {
  const runner::RunOutcome outcome = run_sample(trial, real);
  return std::none_of(outcome.launches.begin(), outcome.launches.end(), [](const runner::LaunchReport& report) {
    return std::any_of(report.findings.begin(), report.findings.end(), [](const machine::Finding& finding) {
      return finding.kind == machine::Finding::Kind::kOutOfBounds;
    });
  });
}

// Wrong sizes among those that fit are no evidence: a row may have to be exactly one block.
std::optional<Base> right_at(const Trial& trial, std::shared_ptr<const SizedTask> size) {
  Reached<std::optional<Base>> reached = base_at(trial, std::move(size));
  if (!reached || !*reached) return std::nullopt;
  Base base = *std::move(*reached);
  CandidateRun runs = trial.runs_at(*base.task);
  if (!runs.judge(base.candidate, {&base.original()}).front().right()) return std::nullopt;
  return base;
}

// Where blocks fit: a base where none is given, and whether it is confirmed.
bool confirmed_where_blocks_fit(const Trial& trial, const SizedCandidate& real, std::optional<Base>& base) {
  const std::vector<std::int64_t> tiles = tiles_of(real.compiled).sizes;
  Referee& referee = trial.tools.referee;
  const std::size_t count = std::min(kMostTried, referee.fitted_sizes(*trial.task, tiles));
  int confirmed = 0;
  for (std::size_t i = 0; i < count && confirmed < kConfirmed && !(base && enough(trial, *base)); ++i) {
    if (!base && i == kMostWithoutAny) break;
    // the other draws are made where it is right on the first
    auto size = referee.fitted(*trial.task, tiles, i, /*all_draws=*/false);
    if (!size || (base && size->task.source == base->task->task.source)) continue;
    auto right = right_at(trial, std::move(size));
    if (right && !base) right = right_at(trial, referee.fitted(*trial.task, tiles, i, /*all_draws=*/true));
    if (!right) continue;
    if (base) {
      ++confirmed;
    } else {
      base = std::move(right);
    }
  }
  return base && (confirmed == kConfirmed || enough(trial, *base));
}

}  // namespace

bool depends_on_size(const DrawResult& result) {
  if (result.kind == record::VerdictKind::kWrong) return result.rule.empty() || result.rule == rules::kRace;
  return result.rule == to_string(machine::Finding::Kind::kOutOfBounds) || result.refuses_size();
}

bool holds_where_blocks_fit(const Trial& trial, const SizedCandidate& real, const Base& base) {
  std::optional<Base> known = base;
  return confirmed_where_blocks_fit(trial, real, known);
}

std::optional<OwnSizes> find_own_sizes(const Trial& trial, const Compiled& compiled, const Finding& other) {
  if (trial.submission.reference_itself || !in_bounds_at_own_sizes(trial, compiled.real)) return std::nullopt;
  std::optional<Base> base;
  if (compiled.small && compiled.small->refusal().empty()) {
    const SizedTask& small = *trial.task->small;
    SizedCandidate candidate = *compiled.small;
    if (trial.runs_at(small).judge(candidate, {small.find("original")}).front().right())
      base = Base{std::shared_ptr<const SizedTask>(trial.task, &small), std::move(candidate)};
  }
  // others are wrong wherever they are tried: no time is spent on them
  if (!base && !tiles_of(compiled.real.compiled).unmasked) return std::nullopt;
  if (!confirmed_where_blocks_fit(trial, compiled.real, base)) return std::nullopt;
  return OwnSizes{std::move(*base), other};
}

}  // namespace tritonrl::judge
