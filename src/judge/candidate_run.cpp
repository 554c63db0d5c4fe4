#include "judge/candidate_run.h"

#include <algorithm>

#include "base/error.h"
#include "judge/constant_state.h"
#include "judge/regimes.h"
#include "judge/rules/names.h"

namespace tritonrl::judge {
namespace {

using record::VerdictKind;
using runner::RunOutcome;

constexpr int kMaxMends = 3;

const machine::Finding* find(const runner::LaunchReport& report, machine::Finding::Kind kind) {
  for (const machine::Finding& finding : report.findings) {
    if (finding.kind == kind) return &finding;
  }
  return nullptr;
}

program::SourceLine place_of_finding(const SizedCandidate& candidate, const runner::LaunchReport& report,
                                     const machine::Finding& finding) {
  for (const runner::LaunchChoice& one : candidate.compiled.launches) {
    if (one.at == report.at && one.variant == report.variant)
      return candidate.compiled.kernels[static_cast<std::size_t>(one.image)].source.original(finding.line);
  }
  return {};
}

void describe_fault(DrawResult& result, const SizedCandidate& candidate, const RunOutcome& outcome) {
  result.kind = VerdictKind::kCrashed;
  result.message = outcome.message;
  if (outcome.launches.empty() || outcome.launches.back().findings.empty()) return;
  const runner::LaunchReport& report = outcome.launches.back();
  const machine::Finding& finding = report.findings.back();
  result.at = place_of_finding(candidate, report, finding);
  result.rule = to_string(finding.kind);
  using Kind = machine::Finding::Kind;
  if (finding.kind == Kind::kTimeout) result.kind = VerdictKind::kTimeout;
  if (finding.kind == Kind::kOutOfBounds)
    result.advice = "mask the access, or compare the offsets with the tensor's size";
  if (finding.kind == Kind::kNotExecutable) result.rule = rules::kNotExecutable;
}

std::string advice_for(const Comparison& comparison) {
  if (comparison.message.find("shape") != std::string::npos) return "allocate the output with the reference's shape";
  if (comparison.got == "nan") return "look for 0/0, log of a negative number, or memory that no program writes";
  if (comparison.max_excess > 0 && comparison.max_excess < 100)
    return "nearly right: accumulate in float32, and give tl.dot input_precision=\"ieee\"";
  return "compare masks, strides and reductions with the reference";
}

DrawResult refused(const Draw& draw, const Finding& finding) {
  DrawResult out;
  out.variation = draw.variation;
  out.kind = finding.kind;
  out.rule = finding.rule;
  out.message = finding.what.message;
  out.at = finding.what.line;
  out.advice = finding.what.advice;
  return out;
}

// What a candidate may have made in another way; one with fewer parameters has not made it at all.
bool may_lack(const program::Program& candidate, const Draw& draw, const GivenState& given) {
  const std::int64_t own = parameter_elements(candidate);
  return replaceable(given) && (own == 0 || own >= draw.parameter_elements);
}

}  // namespace

std::string SizedCandidate::refusal() const {
  if (!recording.program) {
    return (recording.exception.empty() ? to_string(recording.kind) : recording.exception) +
           (recording.message.empty() ? "" : ": " + recording.message);
  }
  if (compiled.failure) return "kernel " + compiled.failure->kernel + ": " + compiled.failure->outcome.message;
  return "";
}

bool DrawResult::refuses_size() const {
  return rule == to_string(machine::Finding::Kind::kMisaligned);
}

Finding finding_of(const DrawResult& result) {
  if (result.kind == VerdictKind::kInfrastructure) throw base::InfrastructureError("judge", result.message);
  Finding out{result.kind, result.rule, {.message = result.message, .line = result.at, .advice = result.advice}};
  if (result.comparison) {
    out.what.expected = result.comparison->expected;
    out.what.got = result.comparison->got;
  }
  return out;
}

std::vector<runner::LaunchChoice> launches_with(const CompiledProgram& compiled, int variant) {
  std::vector<runner::LaunchChoice> out;
  for (const runner::LaunchChoice& one : compiled.launches) {
    if (out.empty() || out.back().at != one.at) {
      out.push_back(one);
    } else if (one.variant == variant) {
      out.back() = one;
    }
  }
  return out;
}

int variants_of(const CompiledProgram& compiled) {
  int out = 1;
  for (const runner::LaunchChoice& one : compiled.launches) out = std::max(out, one.variant + 1);
  return out;
}

CandidateRun::CandidateRun(Replayer& replayer, python::RecordRequest request, CandidateRunOptions options,
                           KernelMemo* memo)
    : replayer_(replayer), request_(std::move(request)), options_(options), memo_(memo) {}

runner::RunRequest CandidateRun::run_request(const SizedCandidate& candidate, const Draw& draw, int variant) const {
  runner::RunRequest how;
  how.program = &candidate.program();
  how.images = candidate.compiled.images;
  how.launches = launches_with(candidate.compiled, variant);
  how.seed = draw.seed;
  how.garbage_seed = options_.garbage_seed + draw.seed;
  how.forwards.clear();
  for (std::size_t f = 0; f < std::min(candidate.program().forwards.size(), draw.inputs.size()); ++f) {
    how.forwards.push_back(static_cast<int>(f));
    how.inputs.push_back(draw.inputs[f]);
  }
  how.keep_state = true;
  how.watch = true;
  how.wall_ms = options_.run_ms;
  how.machine.wall_ms = options_.run_ms;
  if (!draw.state.empty()) how.drawn = drawn_of(candidate.program(), draw.state).drawn;
  return how;
}

DrawResult CandidateRun::result_of(const SizedCandidate& candidate, const Draw& draw, RunOutcome&& outcome) const {
  DrawResult result;
  result.variation = draw.variation;
  switch (outcome.kind) {
    case RunOutcome::Kind::kCompleted:
      break;
    case RunOutcome::Kind::kFault:
      describe_fault(result, candidate, outcome);
      return result;
    case RunOutcome::Kind::kNotExecutable:
      describe_fault(result, candidate, outcome);
      result.rule = rules::kNotExecutable;
      return result;
    case RunOutcome::Kind::kTimeout:
      result.kind = VerdictKind::kTimeout;
      result.message = outcome.message;
      return result;
    case RunOutcome::Kind::kMalformed:
      result.kind = VerdictKind::kInfrastructure;
      result.message = outcome.message;
      return result;
    case RunOutcome::Kind::kMismatch:
    case RunOutcome::Kind::kOtherAnswer:
    case RunOutcome::Kind::kAtenError:
    case RunOutcome::Kind::kOutOfMemory:
    case RunOutcome::Kind::kCrashed:
      result.kind = VerdictKind::kCrashed;
      result.rule =
          outcome.kind == RunOutcome::Kind::kMismatch ? std::string(rules::kNotExecutable) : to_string(outcome.kind);
      result.message = outcome.message;
      if (outcome.at && outcome.at->section == runner::Section::kForward) {
        const auto& steps = candidate.program().forwards[static_cast<std::size_t>(outcome.at->forward)].steps;
        const auto step = static_cast<std::size_t>(outcome.at->step);
        if (step < steps.size()) result.at = program::place_of(steps[step]);
      }
      return result;
  }
  result.launches = std::move(outcome.launches);
  for (std::size_t call = 0; call < outcome.forwards.size(); ++call) {
    const auto f = static_cast<std::size_t>(outcome.forwards[call].forward);
    if (f >= draw.expected.size()) continue;
    Comparison comparison = compare(draw.expected[f], outcome.forwards[call].outputs, draw.truth(f),
                                    {.tolerances = options_.tolerances,
                                     .other_type = options_.any_dtype,
                                     .by_row = is_regime(draw.variation),
                                     .whole = draw.whole});
    if (comparison.equal && !comparison.other_dtype.empty() && !options_.any_dtype) {
      comparison.equal = false;
      comparison.message = comparison.other_dtype;
    }
    const bool worse =
        !result.comparison || (result.comparison->equal && !comparison.equal) ||
        (result.comparison->equal == comparison.equal && comparison.max_error > result.comparison->max_error);
    if (!comparison.equal && call > 0 && (!result.comparison || result.comparison->equal))
      comparison.message = "in call " + std::to_string(call + 1) + " of forward: " + comparison.message;
    if (worse) result.comparison = std::move(comparison);
  }
  if (!result.comparison) {
    result.kind = VerdictKind::kInfrastructure;
    result.message = "no forward was compared";
    return result;
  }
  if (!result.comparison->equal) {
    result.kind = VerdictKind::kWrong;
    result.message = result.comparison->message;
    result.advice = advice_for(*result.comparison);
    return result;
  }
  for (const runner::Overwritten& one : outcome.overwritten) {
    if (!options_.aliasing ||
        std::find(draw.overwritten.begin(), draw.overwritten.end(), one) != draw.overwritten.end())
      continue;
    result.kind = VerdictKind::kWrong;
    result.rule = rules::kAliasing;
    result.message = one.input ? "forward writes over its input " + std::to_string(one.tensor)
                               : "what call " + std::to_string(one.forward + 1) + " of forward returned (output " +
                                     std::to_string(one.tensor) + ") is overwritten by a later call";
    result.advice = one.input ? "leave the caller's tensors as they are" : "return memory of its own from every call";
    return result;
  }
  if (!options_.races) return result;
  for (const runner::LaunchReport& report : result.launches) {
    const machine::Finding* race = find(report, machine::Finding::Kind::kRace);
    if (race == nullptr) continue;
    result.kind = VerdictKind::kWrong;
    result.rule = rules::kRace;
    result.message = race->message;
    result.at = place_of_finding(candidate, report, *race);
    result.advice = "let one program write each element, or use atomics";
    return result;
  }
  return result;
}

CandidateRun::Mend CandidateRun::mend_strides(SizedCandidate& candidate, const RunOutcome& outcome, const Draw& draw) {
  const bool mendable =
      outcome.kind == RunOutcome::Kind::kMismatch && outcome.mismatch && outcome.mismatch->only_strides && outcome.at;
  if (!mendable) return {};
  for (python::StrideOverride& one : stride_overrides(outcome, candidate.program()))
    request_.strides.push_back(std::move(one));
  request_.answer = replayer_.answerer(draws_of(candidate, draw));
  python::RecordOutcome again = replayer_.recorder().record(request_, options_.limits);
  if (!again.program) return {};
  if (options_.check) {
    if (auto finding = options_.check(candidate.program(), *again.program))
      return {.again = false, .finding = std::move(finding)};
  }
  CompiledProgram compiled =
      replayer_.compile(*again.program, {.all_variants = true, .budget = options_.budget}, memo_);
  if (compiled.failure) return {};
  candidate = {std::move(again), std::move(compiled)};
  return {.again = true, .finding = std::nullopt};
}

// The same constructor makes the same steps: places of the last recording hold for the next.
Replayer::Draws CandidateRun::draws_of(const SizedCandidate& candidate, const Draw& draw) const {
  Replayer::Draws out{.seed = draw.seed, .inputs = draw.inputs, .budget = options_.budget};
  if (!draw.state.empty()) out.drawn = drawn_of(candidate.program(), draw.state).drawn;
  return out;
}

DrawResult CandidateRun::with_own_answers(const SizedCandidate& candidate, const Draw& draw, int variant) {
  DrawResult result;
  result.variation = draw.variation;
  SizedCandidate own;
  request_.answer = replayer_.answerer(draws_of(candidate, draw));
  own.recording = replayer_.recorder().record(request_, options_.limits);
  if (own.recording.program && options_.check) {
    if (const auto finding = options_.check(candidate.program(), own.program())) return refused(draw, *finding);
  }
  if (own.recording.program)
    own.compiled = replayer_.compile(own.program(), {.all_variants = true, .budget = options_.budget}, memo_);
  if (const std::string refusal = own.refusal(); !refusal.empty()) {
    result.kind = VerdictKind::kCrashed;
    result.message = refusal;
    return result;
  }
  return result_of(own, draw, replayer_.runner().run(run_request(own, draw, variant), options_.budget));
}

DrawResult CandidateRun::unjudged(const SizedCandidate& candidate, const Draw& draw) {
  DrawResult out;
  out.variation = draw.variation;
  out.not_applicable = draw.not_applicable;
  if (!out.not_applicable.empty() || draw.state.empty()) return out;
  for (const GivenState* one : drawn_of(candidate.program(), draw.state).missing) {
    if (one->buffer || may_lack(candidate.program(), draw, *one)) {
      out.not_applicable = one->buffer ? "the candidate makes its buffers in another way than the reference"
                                       : "the candidate makes " + one->name + " in another way than the reference";
      continue;
    }
    out.kind = VerdictKind::kWrong;
    out.rule = rules::kIgnoresParameters;
    out.message = "the module has nothing in the place of the reference's parameter " + one->name;
    out.advice = "make every parameter of the reference, in its order; that it starts as a constant is no promise";
    out.not_applicable.clear();
    return out;
  }
  return out;
}

const Draw* CandidateRun::fitting(const SizedCandidate& candidate, const Draw* draw) {
  const auto lacks = [&](auto&& what) {
    return std::ranges::any_of(drawn_of(candidate.program(), draw->state).missing, what);
  };
  if (draw->without_buffers && draw->not_applicable.empty() && lacks([](const GivenState* one) { return one->buffer; }))
    draw = draw->without_buffers.get();
  if (draw->without_drawn && draw->not_applicable.empty() &&
      lacks([&](const GivenState* one) { return may_lack(candidate.program(), *draw, *one); }))
    draw = draw->without_drawn.get();
  return draw;
}

DrawResult CandidateRun::judge_as(const SizedCandidate& candidate, const Draw& draw,
                                  const runner::RunRequest& how) const {
  return result_of(candidate, draw, replayer_.runner().run(how, options_.budget));
}

void CandidateRun::plan(RunBatch& batch, const SizedCandidate& candidate, std::vector<const Draw*> draws,
                        std::vector<DrawResult>* results) {
  results->clear();
  for (const Draw*& draw : draws) draw = fitting(candidate, draw);
  for (const Draw* draw : draws) results->push_back(unjudged(candidate, *draw));
  for (std::size_t i = 0; i < draws.size(); ++i) {
    if (!(*results)[i].right()) continue;
    runner::RunRequest how = run_request(candidate, *draws[i]);
    how.machine.count = draws[i]->variation == "original";
    batch.add(std::move(how), [this, &candidate, draw = draws[i], results, i](RunOutcome&& outcome) {
      const bool again =
          outcome.kind == RunOutcome::Kind::kOtherAnswer ||
          (outcome.kind == RunOutcome::Kind::kMismatch && outcome.mismatch && outcome.mismatch->only_strides);
      (*results)[i] = result_of(candidate, *draw, std::move(outcome));
      (*results)[i].again = again;
    });
  }
}

bool CandidateRun::complete(SizedCandidate& candidate, const std::vector<const Draw*>& draws,
                            std::vector<DrawResult>* results) {
  const std::size_t before = request_.strides.size();
  for (std::size_t i = 0; i < draws.size(); ++i) {
    if ((*results)[i].again) (*results)[i] = judged(candidate, {draws[i]}, 0, /*with_traffic=*/true).front();
  }
  return request_.strides.size() != before;
}

std::vector<DrawResult> CandidateRun::judge(SizedCandidate& candidate, std::vector<const Draw*> draws, int variant) {
  return judged(candidate, std::move(draws), variant, /*with_traffic=*/false);
}

std::vector<DrawResult> CandidateRun::judged(SizedCandidate& candidate, std::vector<const Draw*> draws, int variant,
                                             bool with_traffic) {
  for (const Draw*& draw : draws) draw = fitting(candidate, draw);
  std::vector<DrawResult> out(draws.size());
  for (int mend = 0;; ++mend) {
    std::vector<runner::RunRequest> requests;
    std::vector<std::size_t> owners;
    for (std::size_t i = 0; i < draws.size(); ++i) {
      out[i] = unjudged(candidate, *draws[i]);
      if (!out[i].right()) continue;
      requests.push_back(run_request(candidate, *draws[i], variant));
      requests.back().machine.count = with_traffic;
      owners.push_back(i);
    }
    std::vector<RunOutcome> outcomes = replayer_.runner().run_all(requests, /*one_party=*/true, options_.budget);
    bool again = false;
    for (std::size_t i = 0; i < outcomes.size() && !again; ++i) {
      const Draw& draw = *draws[owners[i]];
      const Mend mended = mend < kMaxMends ? mend_strides(candidate, outcomes[i], draw) : Mend();
      if (mended.again) {
        again = true;
      } else if (mended.finding) {
        out[owners[i]] = refused(draw, *mended.finding);
      } else if (outcomes[i].kind == RunOutcome::Kind::kOtherAnswer) {
        out[owners[i]] = with_own_answers(candidate, draw, variant);
      } else {
        out[owners[i]] = result_of(candidate, draw, std::move(outcomes[i]));
      }
    }
    if (!again) return out;
  }
}

}  // namespace tritonrl::judge
