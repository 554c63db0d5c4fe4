#include "judge/sized_task.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <optional>
#include <span>

#include "judge/compare.h"
#include "judge/constant_state.h"
#include "judge/elements.h"
#include "judge/regimes.h"
#include "judge/state_draw.h"
#include "judge/varied_inputs.h"

namespace tritonrl::judge {
namespace {

using runner::RunOutcome;
using runner::TensorData;

constexpr const char* kNoOthers = "no input has other values to take";
constexpr const char* kNothing = "the reference gives nothing that could be compared";

enum SeedOf : std::uint64_t {
  kOriginalSeed = 0,
  kOtherSeed = 1000,
  kParametersSeed = 2000,
  kVariedSeed = 3000,
};

std::vector<int> forwards_up_to(int calls) {
  std::vector<int> out;
  for (int i = 0; i < calls; ++i) out.push_back(i);
  return out;
}

std::string why_not(const RunOutcome& outcome) {
  if (outcome.kind == RunOutcome::Kind::kCompleted) return "";
  return "the reference: " + to_string(outcome.kind) + (outcome.message.empty() ? "" : ": " + outcome.message);
}

std::vector<runner::GivenInputs> own_inputs(const RunOutcome& outcome, int calls) {
  std::vector<runner::GivenInputs> out;
  for (const runner::ForwardResult& forward : outcome.forwards) {
    if (forward.forward >= calls) continue;
    runner::GivenInputs& given = out.emplace_back();
    given.forward = forward.forward;
    for (const TensorData& data : forward.inputs) given.tensors.push_back(data.bytes);
  }
  return out;
}

bool has_nan(const std::vector<std::vector<TensorData>>& outputs) {
  for (const auto& forward : outputs) {
    for (const TensorData& data : forward) {
      if (!has_fractions(data.dtype)) continue;
      const Elements elements(data);
      for (std::size_t i = 0; i < elements.count(); ++i) {
        if (std::isnan(elements[i])) return true;
      }
    }
  }
  return false;
}

std::vector<std::vector<TensorData>> taken_outputs(RunOutcome&& outcome) {
  std::vector<std::vector<TensorData>> out;
  for (runner::ForwardResult& forward : outcome.forwards) out.push_back(std::move(forward.outputs));
  return out;
}

// Makes one of them. Whoever owns it executes what it asks for, with what others ask for at the same time.
class Maker {
 public:
  Maker(Replayer& replayer, const SizedRequest& request) : replayer_(replayer), request_(request) {}

  Replayer::ReplayRequest first() const {
    runner::RunRequest how = request_with(request_.seed + kOriginalSeed, request_.calls);
    how.watch = true;
    how.want_inputs = true;
    how.want_state = true;
    return {record_request(), std::move(how)};
  }

  void begin(Replayer::Replay&& replay) {
    if (!replay.recording.program) {
      why_ = replay.recording.message;
      return;
    }
    if (replay.compiled.failure || replay.outcome.kind != RunOutcome::Kind::kCompleted) {
      why_ = replay.compiled.failure ? replay.compiled.failure->outcome.message : why_not(replay.outcome);
      return;
    }
    sized_.name = request_.name;
    sized_.task = request_.task;
    sized_.precision = request_.precision;
    sized_.first_called = request_.first_called;
    sized_.reference = std::move(*replay.recording.program);
    compiled_ = std::move(replay.compiled);
    first_ = std::move(replay.outcome);
    begun_ = true;
    varied_ = VariedInputs(sized_.reference, first_, request_.seed + kVariedSeed);
    plan();
  }

  // What is to be executed in this turn, of kTurns: all draws, then those again that were changed.
  std::vector<runner::RunRequest> runs(int turn) {
    owners_.clear();
    if (!begun_ || (turn == 1 && !own_integers()) || (turn == 2 && !keep_plain_state(sized_.draws)) ||
        (turn > 2 && !tame_regimes()))
      return {};
    return wanted_runs();
  }
  static constexpr int kTurns = 12;  // more than a regime has manners

  void take(std::span<RunOutcome> outcomes) {
    std::vector<Draw*> asking;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      const auto [draw, as] = owners_[i];
      if (as == As::kExpected && outcomes[i].kind == RunOutcome::Kind::kOtherAnswer) asking.push_back(draw);
      if (std::find(asking.begin(), asking.end(), draw) != asking.end() && as != As::kExpected) continue;
      keep(*draw, as, std::move(outcomes[i]));
    }
    for (Draw* draw : asking) compute_with_own_answers(*draw);
  }

  SizedOutcome made() && {
    return begun_ ? SizedOutcome{std::move(sized_), ""} : SizedOutcome{std::nullopt, std::move(why_)};
  }

 private:
  python::RecordRequest record_request() const {
    python::RecordRequest out;
    out.task = request_.task;
    out.target = request_.target;
    out.forwards = request_.calls;
    out.precision = request_.precision;
    out.first_called = request_.first_called;
    return out;
  }

  int calls_of(const Draw& draw) const {
    return draw.variation == "original" ? request_.calls : std::min(kForwards, request_.calls);
  }

  runner::RunRequest request_with(std::uint64_t seed, int calls) const {
    runner::RunRequest how;
    how.seed = seed;
    how.garbage_seed = seed;
    how.forwards = forwards_up_to(calls);
    how.keep_state = true;
    return how;
  }

  void plan() {
    for (const std::string& variation : request_.variations) {
      Draw draw;
      draw.variation = variation;
      draw.seed = request_.seed + kOriginalSeed;
      if (variation == "original") draw.inputs = varied_.inputs("", calls_of(draw), request_.fresh_inputs);
      if (variation == "scaled" || variation == "signed" || is_regime(variation)) {
        draw.inputs = varied_.inputs(variation, calls_of(draw), request_.fresh_inputs);
        if (varied_.are_own(draw.inputs)) draw.not_applicable = kNoOthers;
      }
      if (is_regime(variation)) draw.whole = whole_outputs_of(sized_.reference);
      if (variation == "seed") draw.seed = request_.seed + kOtherSeed;
      if (variation == "parameters") {
        draw.seed = request_.seed + kParametersSeed;
        give_other_state(draw, sized_.reference, first_.state);
      }
      sized_.draws.push_back(std::move(draw));
    }
    if (request_.fresh_inputs) return;
    for (Draw& draw : sized_.draws) {
      for (runner::GivenInputs& given : draw.inputs) given.tensors = draw.inputs.front().tensors;
    }
  }

  static void forget(Draw& draw) {
    draw.not_applicable.clear();
    draw.expected.clear();
    draw.oracle.clear();
    draw.coarse.clear();
    draw.noisy.clear();
  }

  // What the reference refuses, or what no longer is a number, has the task's own integers again.
  bool own_integers() {
    bool out = false;
    for (Draw& draw : sized_.draws) {
      const bool refused = !draw.not_applicable.empty() || has_nan(draw.expected);
      if (!refused || !varied_.take_own_integers(draw.variation, draw.inputs)) continue;
      forget(draw);
      if (varied_.are_own(draw.inputs)) draw.not_applicable = kNoOthers;
      out = out || draw.not_applicable.empty();
    }
    return out;
  }

  // What the reference made of a regime's call.
  Fit fit(const Draw& draw, std::size_t f) const {
    if (f >= draw.expected.size()) return Fit::kNotANumber;  // it refused one of the calls
    const auto& own = sized_.find("original")->expected;
    const Manner& manner = varied_.manner_of(draw.variation, static_cast<int>(f));
    const bool boldest = manner.values == Manner::Values::kRegime && manner.level == 0 && !manner.own_sign;
    return fit_of(draw.expected[f], f < draw.oracle.size() ? &draw.oracle[f] : nullptr,
                  f < own.size() ? &own[f] : nullptr, !boldest);
  }

  // Calls in which the reference fails, overflows, or errs by so much that nothing can be compared, get tamer inputs,
  // the task's own in the end. Whether there are any: those draws are to be computed once more.
  bool tame_regimes() {
    bool out = false;
    for (Draw& draw : sized_.draws) {
      if (!is_regime(draw.variation) || draw.not_applicable == kNoOthers || draw.not_applicable == kNothing) continue;
      bool other = false;
      for (std::size_t f = 0; f < draw.inputs.size(); ++f) {
        if (varied_.is_own(draw.inputs[f])) continue;
        const Fit found = fit(draw, f);
        if (found == Fit::kGood) continue;
        other = varied_.tame(draw.variation, found, draw.inputs[f]) || other;
      }
      if (!other) continue;
      forget(draw);
      if (!request_.fresh_inputs) {
        for (runner::GivenInputs& given : draw.inputs) given.tensors = draw.inputs.front().tensors;
      }
      if (varied_.are_own(draw.inputs)) draw.not_applicable = kNothing;
      out = out || draw.not_applicable.empty();
    }
    return out;
  }

  enum class As : std::uint8_t { kExpected, kOracle, kCoarse, kNoisy };

  // The ways in which results are computed here.
  std::vector<As> ways() const {
    std::vector<As> out = {As::kExpected, As::kOracle};
    if (request_.tf32) out.push_back(As::kCoarse);
    if (request_.name != "half") out.push_back(As::kNoisy);
    return out;
  }

  runner::RunRequest request_of(const Draw& draw, As as, const program::Program& program,
                                const CompiledProgram& compiled) const {
    runner::RunRequest how = request_with(draw.seed, calls_of(draw));
    how.program = &program;
    how.images = compiled.images;
    how.launches = compiled.launches;
    how.inputs = draw.inputs;
    how.want_inputs = draw.inputs.empty() && as == As::kExpected;
    how.oracle = as == As::kOracle;
    how.tf32 = as == As::kCoarse;
    how.noisy = as == As::kNoisy;
    if (how.oracle) how.keep_state = false;
    how.watch = as == As::kExpected;
    if (!draw.state.empty()) how.drawn = drawn_of(sized_.reference, draw.state).drawn;
    return how;
  }

  void keep(Draw& draw, As as, RunOutcome&& outcome) const {
    const bool completed = outcome.kind == RunOutcome::Kind::kCompleted;
    if (as == As::kOracle) {  // behind the draw's own outcome
      if (completed) keep_oracle(draw, taken_outputs(std::move(outcome)));
      return;
    }
    if (as == As::kCoarse || as == As::kNoisy) {
      if (completed) (as == As::kCoarse ? draw.coarse : draw.noisy) = taken_outputs(std::move(outcome));
      return;
    }
    draw.not_applicable = why_not(outcome);
    if (!completed) return;
    if (draw.inputs.empty()) draw.inputs = own_inputs(outcome, calls_of(draw));
    draw.overwritten = std::move(outcome.overwritten);
    draw.expected = taken_outputs(std::move(outcome));
    if (draw.variation != "original" && !is_regime(draw.variation) && has_nan(draw.expected))
      draw.not_applicable = "the reference gives NaN";
  }

  // A reference that asks for values, recorded for those of this draw.
  void compute_with_own_answers(Draw& draw) {
    Replayer::Draws draws{.seed = draw.seed, .inputs = draw.inputs};
    if (!draw.state.empty()) draws.drawn = drawn_of(sized_.reference, draw.state).drawn;
    python::RecordRequest request = record_request();
    request.forwards = calls_of(draw);
    request.answer = replayer_.answerer(std::move(draws));
    const python::RecordOutcome own = replayer_.recorder().record(request);
    if (!own.program) return;
    const CompiledProgram compiled = replayer_.compile(*own.program);
    if (compiled.failure) return;
    for (const As as : ways()) {
      keep(draw, as, replayer_.runner().run(request_of(draw, as, *own.program, compiled)));
      if (!draw.not_applicable.empty()) return;
    }
  }

  // Of all draws that have no results yet.
  std::vector<runner::RunRequest> wanted_runs() {
    std::vector<runner::RunRequest> out;
    std::vector<Draw*> all;
    for (Draw& draw : sized_.draws) {
      for (Draw* one : with_alternatives(draw)) all.push_back(one);
    }
    for (Draw* one : all) {
      Draw& draw = *one;
      if (!draw.not_applicable.empty() || !draw.expected.empty()) continue;
      if (draw.variation == "original" && request_.fresh_inputs) {
        draw.overwritten = first_.overwritten;
        draw.expected = taken_outputs(RunOutcome(first_));
      }
      for (const As as : ways()) {
        if (as == As::kExpected && !draw.expected.empty()) continue;  // it ran already
        out.push_back(request_of(draw, as, sized_.reference, compiled_));
        owners_.emplace_back(&draw, as);
      }
    }
    return out;
  }

  // The oracle begins each forward from the initial state: one of a module with a memory says something else.
  // One that is wrong in the first already is no measure in a type that is not the task's own.
  void keep_oracle(Draw& draw, std::vector<std::vector<TensorData>>&& oracle) const {
    if (oracle.size() != draw.expected.size()) return;
    for (std::size_t f = 0; f < oracle.size() && !is_regime(draw.variation); ++f) {
      if (compare(draw.expected[f], oracle[f]).max_excess <= kOracleExcess) continue;
      if (request_.name == "half" && f == 0) draw.not_applicable = "the reference itself is wrong in this type";
      return;
    }
    draw.oracle = std::move(oracle);
  }

  Replayer& replayer_;
  const SizedRequest& request_;
  SizedTask sized_;
  CompiledProgram compiled_;
  RunOutcome first_;
  bool begun_ = false;
  std::string why_;                           // it was not
  std::vector<std::pair<Draw*, As>> owners_;  // of the runs that it asked for last
  VariedInputs varied_;
};

}  // namespace

std::vector<SizedOutcome> make_sized_tasks(Replayer& replayer, const std::vector<SizedRequest>& requests) {
  std::vector<std::unique_ptr<Maker>> makers;
  std::vector<Replayer::ReplayRequest> first;
  for (const SizedRequest& one : requests) {
    makers.push_back(std::make_unique<Maker>(replayer, one));
    first.push_back(makers.back()->first());
  }
  std::vector<Replayer::Replay> begun = replayer.replay_all(std::move(first));
  for (std::size_t i = 0; i < makers.size(); ++i) makers[i]->begin(std::move(begun[i]));
  for (int turn = 0; turn < Maker::kTurns; ++turn) {
    std::vector<runner::RunRequest> runs;
    std::vector<std::size_t> counts;
    for (const auto& maker : makers) {
      std::vector<runner::RunRequest> some = maker->runs(turn);
      counts.push_back(some.size());
      std::move(some.begin(), some.end(), std::back_inserter(runs));
    }
    if (runs.empty()) continue;
    std::vector<RunOutcome> outcomes = replayer.runner().run_all(runs);
    std::span<RunOutcome> left = outcomes;
    for (std::size_t i = 0; i < makers.size(); ++i) {
      makers[i]->take(left.first(counts[i]));
      left = left.subspan(counts[i]);
    }
  }
  std::vector<SizedOutcome> out;
  for (const auto& maker : makers) out.push_back(std::move(*maker).made());
  return out;
}

}  // namespace tritonrl::judge
