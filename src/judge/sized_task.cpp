#include "judge/sized_task.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "judge/compare.h"
#include "judge/constant_state.h"
#include "judge/elements.h"
#include "judge/integer_inputs.h"
#include "judge/regimes.h"
#include "judge/state_draw.h"

namespace tritonrl::judge {
namespace {

using runner::RunOutcome;
using runner::TensorData;

// By forward: values inside and outside of [-1, 1].
constexpr double kSignedScales[] = {3, 1, 0.25};
constexpr double kMostError = 1e-2;  // of the largest output: beyond, a regime tells nothing

enum SeedOf : std::uint64_t {
  kOriginalSeed = 0,
  kOtherSeed = 1000,
  kParametersSeed = 2000,
  kRegimeSeed = 3000,
  kIntegerSeed = 4000
};

std::vector<int> forwards_up_to(int calls) {
  std::vector<int> out;
  for (int i = 0; i < calls; ++i) out.push_back(i);
  return out;
}

// Other values of the same structure: zeros stay zeros, equal elements stay equal, order stays; so triangular,
// symmetric and sorted inputs remain what they are.
std::string other_values(const TensorData& data, const std::string& variation, int forward) {
  if (!float_scalar(data.dtype) || is_selector(data)) return data.bytes;
  if (variation == "scaled") return changed(data, [](double value) { return 2 * value; });
  const double centre = centre_of(data);
  const double scale = kSignedScales[static_cast<std::size_t>(forward) % std::size(kSignedScales)];
  return changed(data, [&](double value) { return value == 0 ? 0 : scale * (value - centre); });
}

std::vector<runner::GivenInputs> given_inputs(const RunOutcome& outcome, const std::string& variation, int calls,
                                              std::uint64_t seed = 0) {
  std::vector<runner::GivenInputs> out;
  for (const runner::ForwardResult& forward : outcome.forwards) {
    if (forward.forward >= calls) continue;
    runner::GivenInputs& given = out.emplace_back();
    given.forward = forward.forward;
    for (const TensorData& data : forward.inputs) {
      given.tensors.push_back(variation.empty()      ? data.bytes
                              : is_regime(variation) ? in_regime(data, variation, forward.forward, ++seed)
                                                     : other_values(data, variation, forward.forward));
    }
  }
  return out;
}

// Whole numbers and masks too; false: there are none that could be others. `signs`: by input, whether it may be
// negative.
bool change_integers(const RunOutcome& outcome, const std::string& variation, const std::vector<bool>& signs,
                     std::uint64_t seed, std::vector<runner::GivenInputs>& inputs) {
  bool out = false;
  for (std::size_t f = 0; f < inputs.size(); ++f) {
    const std::vector<TensorData>& all = outcome.forwards[f].inputs;
    for (std::size_t i = 0; i < std::min({all.size(), signs.size(), inputs[f].tensors.size()}); ++i) {
      if (float_scalar(all[i].dtype)) continue;
      std::string& given = inputs[f].tensors[i];
      if (variation == "signed" && signs[i]) given = with_signs(all[i], ++seed);
      if (variation == "uneven" && f > 0) given = chosen_anew(all[i], ++seed);
      out = out || given != all[i].bytes;
    }
  }
  return out;
}

std::string why_not(const RunOutcome& outcome) {
  if (outcome.kind == RunOutcome::Kind::kCompleted) return "";
  return "the reference: " + to_string(outcome.kind) + (outcome.message.empty() ? "" : ": " + outcome.message);
}

// The largest difference, as a part of the largest element, of the output where that is most.
double relative_error(const std::vector<TensorData>& outputs, const std::vector<TensorData>& truth) {
  double out = 0;
  for (std::size_t t = 0; t < std::min(outputs.size(), truth.size()); ++t) {
    const Elements a(outputs[t]), b(truth[t]);
    double largest = 0, error = 0;
    for (std::size_t i = 0; i < std::min(a.count(), b.count()); ++i) {
      largest = std::max(largest, std::abs(b[i]));
      error = std::max(error, std::abs(a[i] - b[i]));
    }
    if (error > 0) out = std::max(out, error / largest);
  }
  return out;
}

bool has_nan(const std::vector<std::vector<TensorData>>& outputs) {
  for (const auto& forward : outputs) {
    for (const TensorData& data : forward) {
      if (!float_scalar(data.dtype)) continue;
      const Elements elements(data);
      for (std::size_t i = 0; i < elements.count(); ++i) {
        if (std::isnan(elements[i])) return true;
      }
    }
  }
  return false;
}

std::vector<std::vector<TensorData>> outputs_of(RunOutcome&& outcome) {
  std::vector<std::vector<TensorData>> out;
  for (runner::ForwardResult& forward : outcome.forwards) out.push_back(std::move(forward.outputs));
  return out;
}

class Maker {
 public:
  Maker(Replayer& replayer, const SizedRequest& request) : replayer_(replayer), request_(request) {}

  std::optional<SizedTask> make(std::string* why) {
    runner::RunRequest how = request_with(request_.seed + kOriginalSeed, request_.calls);
    how.watch = true;
    how.want_inputs = true;
    how.want_state = true;
    Replayer::Replay replay = replayer_.replay(record_request(), {}, how);
    if (!replay.recording.program) {
      *why = replay.recording.message;
      return std::nullopt;
    }
    if (replay.compiled.failure || replay.outcome.kind != RunOutcome::Kind::kCompleted) {
      *why = replay.compiled.failure ? replay.compiled.failure->outcome.message : why_not(replay.outcome);
      return std::nullopt;
    }
    sized_.name = request_.name;
    sized_.task = request_.task;
    sized_.precision = request_.precision;
    sized_.first_called = request_.first_called;
    sized_.reference = std::move(*replay.recording.program);
    compiled_ = std::move(replay.compiled);
    first_ = std::move(replay.outcome);
    plan();
    compute(/*tamed=*/false);
    if (own_integers()) compute(/*tamed=*/true);
    if (keep_plain_state(sized_.draws)) compute(/*tamed=*/true);
    if (tame_regimes()) compute(/*tamed=*/true);
    return std::move(sized_);
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
      if (variation == "original") draw.inputs = given_inputs(first_, "", calls_of(draw));
      if (variation == "scaled" || variation == "signed") {
        draw.inputs = given_inputs(first_, variation, calls_of(draw));
        other_integers(draw);
        if (same_inputs(draw.inputs)) draw.not_applicable = "no floating input has other values to take";
      }
      if (is_regime(variation)) {
        draw.inputs = given_inputs(first_, variation, calls_of(draw), request_.seed + kRegimeSeed);
        other_integers(draw);
        if (same_inputs(draw.inputs)) draw.not_applicable = "no floating input has other values to take";
      }
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

  void other_integers(Draw& draw) {
    if (!request_.fresh_inputs) return;
    if (change_integers(first_, draw.variation, only_computed_with(sized_.reference), request_.seed + kIntegerSeed,
                        draw.inputs))
      other_integers_.insert(draw.variation);
  }

  // What the reference refuses, or what no longer is a number, has the task's own integers again.
  bool own_integers() {
    bool out = false;
    for (Draw& draw : sized_.draws) {
      const bool refused = !draw.not_applicable.empty() || (!is_regime(draw.variation) && has_nan(draw.expected));
      if (!refused || other_integers_.erase(draw.variation) == 0) continue;
      for (runner::GivenInputs& given : draw.inputs) {
        const std::vector<TensorData>& own = first_.forwards[static_cast<std::size_t>(given.forward)].inputs;
        for (std::size_t i = 0; i < given.tensors.size(); ++i) {
          if (!float_scalar(own[i].dtype)) given.tensors[i] = own[i].bytes;
        }
      }
      draw.expected.clear();
      draw.oracle.clear();
      draw.coarse.clear();
      draw.not_applicable = same_inputs(draw.inputs) ? "no floating input has other values to take" : "";
      out = out || draw.not_applicable.empty();
    }
    return out;
  }

  bool same_inputs(const std::vector<runner::GivenInputs>& inputs) const {
    for (std::size_t f = 0; f < inputs.size(); ++f) {
      for (std::size_t i = 0; i < inputs[f].tensors.size(); ++i) {
        if (inputs[f].tensors[i] != first_.forwards[f].inputs[i].bytes) return false;
      }
    }
    return true;
  }

  // Calls in which the reference overflows, or errs by so much that nothing can be compared, get the task's own inputs
  // again. Whether there are any: those draws are to be computed once more.
  bool tame_regimes() {
    bool out = false;
    for (Draw& draw : sized_.draws) {
      if (!is_regime(draw.variation) || !draw.not_applicable.empty()) continue;
      std::size_t tame = 0;
      for (std::size_t f = 0; f < draw.expected.size(); ++f) {
        const bool known = f < draw.oracle.size();
        if (std::ranges::all_of(draw.expected[f], all_finite) &&
            (!known || relative_error(draw.expected[f], draw.oracle[f]) <= kMostError))
          continue;
        draw.inputs[f].tensors = sized_.find("original")->inputs[f].tensors;
        ++tame;
      }
      if (tame == 0) continue;
      if (tame == draw.expected.size()) {
        draw.not_applicable = "the reference gives nothing that could be compared";
        continue;
      }
      draw.expected.clear();
      draw.oracle.clear();
      draw.coarse.clear();
      out = true;
    }
    return out;
  }

  enum class As : std::uint8_t { kExpected, kOracle, kCoarse };

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
    if (how.oracle) how.keep_state = false;
    how.watch = as == As::kExpected;
    if (!draw.state.empty()) how.drawn = drawn_of(sized_.reference, draw.state).drawn;
    return how;
  }

  void keep(Draw& draw, As as, RunOutcome&& outcome) const {
    const bool completed = outcome.kind == RunOutcome::Kind::kCompleted;
    if (as == As::kOracle) {  // behind the draw's own outcome
      if (completed) keep_oracle(draw, outputs_of(std::move(outcome)));
      return;
    }
    if (as == As::kCoarse) {
      if (completed) draw.coarse = outputs_of(std::move(outcome));
      return;
    }
    draw.not_applicable = why_not(outcome);
    if (!completed) return;
    if (draw.inputs.empty()) draw.inputs = given_inputs(outcome, "", calls_of(draw));
    draw.overwritten = std::move(outcome.overwritten);
    draw.expected = outputs_of(std::move(outcome));
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
    for (const As as : {As::kExpected, As::kOracle, As::kCoarse}) {
      if (as == As::kCoarse && !request_.tf32) continue;
      keep(draw, as, replayer_.runner().run(request_of(draw, as, *own.program, compiled)));
      if (!draw.not_applicable.empty()) return;
    }
  }

  // `tamed`: the draws alone that tame_regimes changed.
  void compute(bool tamed) {
    std::vector<runner::RunRequest> requests;
    std::vector<std::pair<Draw*, As>> owners;
    std::vector<Draw*> asking, all;
    for (Draw& draw : sized_.draws) {
      for (Draw* one : with_alternatives(draw)) all.push_back(one);
    }
    for (Draw* one : all) {
      Draw& draw = *one;
      if (!draw.not_applicable.empty() || (tamed && !draw.expected.empty())) continue;
      if (draw.variation == "original" && request_.fresh_inputs) {
        draw.overwritten = first_.overwritten;
        draw.expected = outputs_of(RunOutcome(first_));
      }
      for (const As as : {As::kExpected, As::kOracle, As::kCoarse}) {
        if (as == As::kExpected && !draw.expected.empty()) continue;  // it ran already
        if (as == As::kCoarse && !request_.tf32) continue;
        requests.push_back(request_of(draw, as, sized_.reference, compiled_));
        owners.emplace_back(&draw, as);
      }
    }
    std::vector<RunOutcome> outcomes = replayer_.runner().run_all(requests);
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      const auto [draw, as] = owners[i];
      if (as == As::kExpected && outcomes[i].kind == RunOutcome::Kind::kOtherAnswer) asking.push_back(draw);
      if (std::find(asking.begin(), asking.end(), draw) != asking.end() && as != As::kExpected) continue;
      keep(*draw, as, std::move(outcomes[i]));
    }
    for (Draw* draw : asking) compute_with_own_answers(*draw);
  }

  // The oracle begins each forward from the initial state: one of a module with a memory says something else.
  static void keep_oracle(Draw& draw, std::vector<std::vector<TensorData>>&& oracle) {
    if (oracle.size() != draw.expected.size()) return;
    for (std::size_t f = 0; f < oracle.size() && !is_regime(draw.variation); ++f) {
      if (compare(draw.expected[f], oracle[f]).max_excess > kOracleExcess) return;
    }
    draw.oracle = std::move(oracle);
  }

  Replayer& replayer_;
  const SizedRequest& request_;
  SizedTask sized_;
  CompiledProgram compiled_;
  RunOutcome first_;
  std::set<std::string> other_integers_;  // variations
};

}  // namespace

Truth Draw::truth(std::size_t forward) const {
  const auto of = [&](const std::vector<std::vector<TensorData>>& all) {
    return forward < all.size() ? &all[forward] : nullptr;
  };
  return {of(oracle), of(coarse)};
}

const Draw* SizedTask::find(std::string_view variation) const {
  const auto found =
      std::find_if(draws.begin(), draws.end(), [&](const Draw& draw) { return draw.variation == variation; });
  return found == draws.end() ? nullptr : &*found;
}

std::optional<SizedTask> make_sized_task(Replayer& replayer, const SizedRequest& request, std::string* why) {
  return Maker(replayer, request).make(why);
}

}  // namespace tritonrl::judge
