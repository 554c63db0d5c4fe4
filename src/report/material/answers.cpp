#include "report/material/answers.h"

#include <algorithm>
#include <tuple>

namespace tritonrl::report {
namespace {

constexpr std::size_t kShownFastest = 3, kShownSlowest = 2, kShownSuspicious = 6;

double speed_of(const Answer& answer) {
  return answer.result.speedup.value_or(0);
}

// Keeps the first `most` by `before`, one a task.
template <class Before>
void keep_best(std::vector<Answer>& kept, const Answer& answer, std::size_t most, const Before& before) {
  const auto same =
      std::find_if(kept.begin(), kept.end(), [&](const Answer& each) { return each.result.id == answer.result.id; });
  if (same != kept.end()) {
    if (!before(answer, *same)) return;
    kept.erase(same);
  }
  kept.insert(std::upper_bound(kept.begin(), kept.end(), answer, before), answer);
  if (kept.size() > most) kept.pop_back();
}

// Code that a person reads sooner is the better example.
bool shows_more(const Answer& a, const Answer& b) {
  const auto rank = [](const Answer& answer) {
    return std::tuple(answer.result.program.empty(), answer.result.text.empty(), answer.result.text.size());
  };
  return rank(a) < rank(b);
}

}  // namespace

void AnswerTally::add(const Answer& answer) {
  const record::SampleResult& result = answer.result;
  if (!result.judged()) {
    ++unjudged_;
    return;
  }
  const bool compiled = result.compiled();
  ++funnel_.judged;
  funnel_.with_code += result.kind != record::VerdictKind::kNoCode ? 1 : 0;
  funnel_.valid += result.valid() ? 1 : 0;
  funnel_.compiled += compiled ? 1 : 0;
  funnel_.tiny += compiled && (result.correct() || result.stage > record::Stage::kTiny) ? 1 : 0;
  funnel_.correct += result.correct() ? 1 : 0;
  funnel_.faster += result.faster_than(1) ? 1 : 0;
  if (!result.correct()) {
    Outcome& outcome = failures_[result.outcome()];
    if (outcome.count++ == 0 || shows_more(answer, outcome.example)) outcome.example = answer;
    return;
  }
  if (!result.speedup || !(*result.speedup > 0)) return;
  speedups_.push_back(*result.speedup);
  (result.measured ? measured_ : modelled_) = true;
  keep_best(fastest_, answer, kShownFastest,
            [](const Answer& a, const Answer& b) { return speed_of(a) > speed_of(b); });
  keep_best(slowest_, answer, kShownSlowest,
            [](const Answer& a, const Answer& b) { return speed_of(a) < speed_of(b); });
}

void AnswerTally::add_suspicious(const Answer& answer) {
  ++suspicious_count_;
  keep_best(suspicious_, answer, kShownSuspicious,
            [](const Answer& a, const Answer& b) { return speed_of(a) > speed_of(b); });
}

}  // namespace tritonrl::report
