#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "judge/launch_nature.h"
#include "judge/modelled_program.h"
#include "judge/placed_launch.h"
#include "judge/program_rules.h"
#include "judge/rules.h"
#include "judge/step_access.h"
#include "judge/trial.h"

// Stage full, the kernels: are they the cause of the result, and does what was verified hold at the real sizes? Stage
// timing: how long would it take?

namespace tritonrl::judge {

using record::VerdictKind;

namespace {

constexpr std::size_t kMaxSilenced = 12;  // launches; beyond, all launches of a kernel are silenced together
constexpr int kMaxSampledVariants = 16;
constexpr std::int64_t kFewest = 4;  // programs that are sampled where more take too long
// Where a GPU computes the real sizes, samples serve the modelled time alone.
constexpr std::int64_t kSampledForModel = 8, kLongestForModel = 3000;

std::vector<PlacedLaunch> launches_of_last(const program::Program& program) {
  std::vector<PlacedLaunch> out;
  const int last = static_cast<int>(program.forwards.size()) - 1;
  append_launches(program.forwards.back().steps, runner::Section::kForward, last, out);
  return out;
}

}  // namespace

// On the base, its last forward; with those before it only where they matter to it.
runner::RunRequest Trial::last_forward_on(const Draw& draw) {
  runner::RunRequest how = runs_at(base_task_->task, base_task_->precision).run_request(*base_, draw);
  if (earlier_matter_) return how;
  how.forwards.erase(how.forwards.begin(), how.forwards.end() - 1);
  std::erase_if(how.inputs, [&](const runner::GivenInputs& one) { return one.forward != how.forwards.front(); });
  return how;
}

void Trial::plan_launches(RunBatch& batch) {
  alone_.clear();
  silenced_.clear();
  const std::vector<PlacedLaunch> launches = launches_of_last(base_->program());
  const Draw* original = base_task_->find("original");
  earlier_matter_ = needs_earlier(base_->program());
  // A forward that is right without those before it has no need of them. Else what is silenced would seem to matter.
  if (!earlier_matter_) {
    batch.add(last_forward_on(*original), [this](runner::RunOutcome&& outcome) { last_alone_ = std::move(outcome); });
  }
  // alone, for the first launch of each kernel: on random data of several scales, and on NaN
  std::set<runner::StepPlace> places;
  for (const PlacedLaunch& one : launches) {
    places.insert(one.at);
    const int kernel = one.launch->kernel;
    if (!on(rules::kCopies) || alone_.contains(kernel)) continue;
    alone_[kernel];
    for (const double scale : {1.0, 100.0, 0.1, 0.0}) {
      runner::RunRequest how = last_forward_on(*original);
      const auto fill = scale > 0 ? runner::Alone::Fill::kRandom : runner::Alone::Fill::kNan;
      how.alone = runner::Alone{one.at, fill, scale, context_.garbage_seed + static_cast<std::uint64_t>(10 * scale)};
      how.want_outputs = false;
      batch.add(std::move(how),
                [this, kernel](runner::RunOutcome&& outcome) { alone_[kernel].push_back(std::move(outcome)); });
    }
  }
  if (on(rules::kSilence)) plan_silenced(batch, *original, places);
}

// Each of these launches silenced, or each kernel where there are very many.
void Trial::plan_silenced(RunBatch& batch, const Draw& draw, const std::set<runner::StepPlace>& places) {
  const std::vector<PlacedLaunch> launches = launches_of_last(base_->program());
  const bool together = launches.size() > kMaxSilenced;
  std::set<int> seen;
  for (const PlacedLaunch& one : launches) {
    if (!places.contains(one.at) || (together && !seen.insert(one.launch->kernel).second)) continue;
    runner::RunRequest how = last_forward_on(draw);
    for (const PlacedLaunch& other : launches) {
      if (other.at == one.at || (together && other.launch->kernel == one.launch->kernel))
        how.silenced.push_back(other.at);
    }
    batch.add(std::move(how), [this, at = one.at, &draw](runner::RunOutcome&& outcome) {
      silenced_[at].emplace_back(&draw, std::move(outcome));
    });
  }
}

bool Trial::check_launches() {
  const std::vector<PlacedLaunch> launches = launches_of_last(base_->program());
  if (launches.empty()) return true;  // the rule on launches is off
  const AtenWork reference = aten_work(task_->reference, context_.target);
  const AtenWork candidate = aten_work(*real_recording_.program, context_.target);
  const bool moving_counts = reference.arithmetic <= 0 || candidate.rearrangement < reference.rearrangement;
  const auto last = static_cast<std::size_t>(base_->program().forwards.size() - 1);
  const auto counts_as_work = [&](LaunchNature nature) {
    return nature == LaunchNature::kComputes || (nature == LaunchNature::kRearranges && moving_counts) ||
           (nature == LaunchNature::kCopies && reference.arithmetic <= 0);
  };
  const auto stays_right = [&](const Draw& draw, const runner::RunOutcome& outcome) {
    static const std::vector<runner::TensorData> kNone;
    return outcome.kind == runner::RunOutcome::Kind::kCompleted && !outcome.forwards.empty() &&
           compare(draw.expected[last], outcome.forwards.back().outputs,
                   draw.oracle.size() > last ? draw.oracle[last] : kNone)
               .equal;
  };
  RunBatch more;
  if (!earlier_matter_ && !silenced_.empty() && !stays_right(*base_task_->find("original"), last_alone_)) {
    earlier_matter_ = true;
    std::set<runner::StepPlace> all;
    for (const auto& [at, runs] : silenced_) all.insert(at);
    silenced_.clear();
    plan_silenced(more, *base_task_->find("original"), all);
    more.run(context_.replayer.runner());
  }
  // what nobody misses on the task's own inputs may matter on others
  std::set<runner::StepPlace> open;
  for (const auto& [at, runs] : silenced_) {
    if (std::all_of(runs.begin(), runs.end(), [&](const auto& run) { return stays_right(*run.first, run.second); }))
      open.insert(at);
  }
  const Draw* signs = base_task_->find("signed");
  if (!open.empty() && signs != nullptr && signs->not_applicable.empty()) {
    plan_silenced(more, *signs, open);
    more.run(context_.replayer.runner());
  }
  std::map<int, bool> matters_by_kernel;  // where all launches of a kernel were silenced together
  std::string copies, idle;
  for (const PlacedLaunch& one : launches) {
    const int kernel = one.launch->kernel;
    const std::string& name = base_->program().kernels[static_cast<std::size_t>(kernel)].name;
    const auto nothing = [&](std::string_view rule, const std::string& why) {
      verdict_.checks.push_back({std::string(rule), true, "a launch of " + name + " counts for nothing: " + why});
    };
    if (const auto alone = alone_.find(kernel); alone != alone_.end()) {
      const LaunchNature nature = nature_of(alone->second);
      if (!counts_as_work(nature)) {
        copies = name;
        nothing(rules::kCopies, nature == LaunchNature::kConstant ? "it writes constants" : "it copies");
        continue;
      }
    }
    bool matters = !on(rules::kSilence);
    if (const auto silenced = silenced_.find(one.at); silenced != silenced_.end()) {
      for (const auto& [draw, outcome] : silenced->second) matters = matters || !stays_right(*draw, outcome);
      matters_by_kernel[kernel] = matters;
    } else {
      matters = matters || matters_by_kernel[kernel];
    }
    if (!matters) {
      idle = name;
      nothing(rules::kSilence, "the output is the same without it");
      continue;
    }
    counted_.push_back(one.at);
  }
  if (!counted_.empty()) {
    passed("launches", std::to_string(counted_.size()) + " of " + std::to_string(launches.size()) + " do work");
    return true;
  }
  verdict_.at = place(launches.front().launch->at);
  verdict_.advice = "let the kernel compute what forward returns";
  if (!idle.empty()) {
    return fail(
        VerdictKind::kCheated, rules::kSilence,
        "without the launch of " + idle + " the output is the same: the kernels are not the cause of the result");
  }
  return fail(VerdictKind::kCheated, rules::kCopies,
              "the kernels compute nothing: " + copies + " only moves data or writes constants");
}

runner::RunRequest Trial::real_size_request(int variant, std::int64_t sample) const {
  const program::Program& real = *real_recording_.program;
  const int last = static_cast<int>(real.forwards.size()) - 1;
  runner::RunRequest how;
  how.program = &real;
  how.images = real_.images;
  how.launches = launches_with(real_, variant);
  how.sample = sample;
  how.want_outputs = false;
  how.keep_state = true;
  how.check_answers = false;
  how.forwards = {last};
  if (needs_earlier(real)) {
    how.forwards.clear();
    for (int f = 0; f <= last; ++f) how.forwards.push_back(f);
  }
  how.wall_ms = how.machine.wall_ms = context_.device == nullptr ? remaining_ms() : kLongestForModel;
  return how;
}

void Trial::plan_real_sizes(RunBatch& batch) {
  const std::int64_t sample =
      context_.device == nullptr ? options_.sampled_programs : std::min(options_.sampled_programs, kSampledForModel);
  sampled_.clear();
  for (int variant = 0; variant < std::min(kMaxSampledVariants, variants_of(real_)); ++variant) {
    if (variant > 0 && !verified_variants_.empty() && !verified_variants_.contains(variant)) continue;
    batch.add(real_size_request(variant, sample),
              [this, variant](runner::RunOutcome&& outcome) { sampled_.emplace_back(variant, std::move(outcome)); });
  }
}

bool Trial::check_real_sizes() {
  const program::Program& real = *real_recording_.program;
  const int last = static_cast<int>(real.forwards.size()) - 1;
  Coverage at_real;
  for (std::size_t i = 0; i < sampled_.size(); ++i) {
    runner::RunOutcome& outcome = sampled_[i].second;
    using Kind = runner::RunOutcome::Kind;
    // very long programs, or a busy machine: fewer of them say nearly as much
    if (outcome.kind == Kind::kTimeout && context_.device == nullptr)
      outcome = context_.replayer.runner().run(real_size_request(sampled_[i].first, kFewest));
    if (outcome.kind == Kind::kMalformed) throw base::InfrastructureError("judge", outcome.message);
    if (outcome.kind != Kind::kCompleted && context_.device != nullptr) {
      real_launches_.clear();  // no model; the GPU says what is wrong with it
      return true;
    }
    if (outcome.kind != Kind::kCompleted) {
      const VerdictKind kind = outcome.kind == Kind::kTimeout ? VerdictKind::kTimeout : VerdictKind::kCrashed;
      std::string rule = to_string(outcome.kind);
      if (!outcome.launches.empty() && !outcome.launches.back().findings.empty()) {
        const machine::Finding& finding = outcome.launches.back().findings.back();
        rule = to_string(finding.kind);
        for (const runner::LaunchChoice& one : real_.launches) {
          if (one.at == outcome.launches.back().at && one.variant == outcome.launches.back().variant)
            verdict_.at = place(real_.kernels[static_cast<std::size_t>(one.image)].source.original(finding.line));
        }
      }
      return fail(kind, rule, "at the task's real sizes: " + outcome.message);
    }
    if (i == 0) at_real.add(real, real_, outcome.launches, last);
    for (runner::LaunchReport& report : outcome.launches) real_launches_.push_back(std::move(report));
  }
  passed("real sizes", "bounds of " + std::to_string(options_.sampled_programs) + " programs a launch");
  // a GPU computes it as a whole
  if (!on(rules::kUnverified) || context_.device != nullptr) return true;
  if (!check_coverage(at_real)) return false;
  return check(check_reach(task_->reference, real, reach_of(real, real_launches_), verified_reach_), rules::kUnverified,
               VerdictKind::kWrong);
}

// What the candidate executes at some size, by a few programs of each launch; nothing is compared.
Coverage Trial::sampled_at(const record::Task& task, const std::string& precision) {
  Coverage out;
  python::RecordRequest request = request_at(task, precision, 1);
  request.answer = context_.replayer.answerer({});
  const SizedCandidate candidate = sized(context_.replayer.recorder().record(request));
  if (!candidate.refusal().empty()) return out;
  runner::RunRequest how;
  how.program = &candidate.program();
  how.images = candidate.compiled.images;
  how.launches = launches_with(candidate.compiled, 0);
  how.sample = kSampledForModel;
  how.want_outputs = false;
  how.check_answers = false;
  how.wall_ms = how.machine.wall_ms = kLongestForModel;
  out.add(candidate.program(), candidate.compiled, context_.replayer.runner().run(how).launches, 0);
  return out;
}

// A candidate that takes another path at large sizes, or goes round a loop more often, is followed as far as can be
// computed.
bool Trial::check_coverage(const Coverage& at_real) {
  std::optional<Coverage::Missing> missing = at_real.missing_in(verified_);
  if (!missing) return true;
  const SizedCandidate kept = *base_;
  const auto kept_task = base_task_;
  const std::size_t sizes = std::min(kMaxLarger, context_.referee.larger_sizes(*task_));
  for (std::size_t next = 0; missing && next < sizes; ++next) {
    if (!sampled_at(context_.referee.larger_task(*task_, next), kept_task->precision).helps(at_real, verified_))
      continue;
    if (!try_size(context_.referee.larger_original(*task_, next))) continue;
    const DrawResult result =
        runs_at(base_task_->task, base_task_->precision).judge(*base_, {base_task_->find("original")}).front();
    if (result.not_applicable.empty() && !result.right()) {
      // a loop's next round is looked for where that is cheap
      if (missing->next_round && result.kind == VerdictKind::kTimeout) continue;
      fail(result);
      verdict_.message = "at a larger size: " + verdict_.message;
      return false;
    }
    add_coverage(*base_, result);
    missing = at_real.missing_in(verified_);
  }
  base_ = kept;
  base_task_ = kept_task;
  if (!missing) return true;
  if (missing->next_round) {
    verdict_.notes.push_back("not computed at any size that is small enough: " + missing->what);
    return true;
  }
  verdict_.at = place(missing->at);
  verdict_.advice = "take the same path at all sizes, or make it reachable at sizes that can be computed";
  return fail(VerdictKind::kWrong, rules::kUnverified,
              "at the task's real sizes something runs that no verified run executed: " + missing->what);
}

void Trial::model_time() {
  record::Timing timing;
  timing.target = context_.target.name;
  timing.reference_us = task_->reference_seconds * 1e6;
  if (submission_.reference_itself) {
    timing.candidate_us = timing.reference_us;
    timing.speedup = 1;
    verdict_.timing = timing;
    return;
  }
  const program::Program& real = *real_recording_.program;
  std::vector<runner::LaunchReport> reports;
  for (const runner::LaunchReport& report : real_launches_) {
    if (report.variant == 0 || verified_variants_.contains(report.variant)) reports.push_back(report);
  }
  const int last = static_cast<int>(real.forwards.size()) - 1;
  const ModelledProgram modelled = modelled_program(real, last, real_, reports);
  timing.candidate_us = modelled.seconds * 1e6;
  timing.speedup = modelled.seconds > 0 ? task_->reference_seconds / modelled.seconds : 0;
  verdict_.timing = timing;

  // counted launches of the base, found again at the real sizes by kernel and turn
  std::set<std::pair<std::string, int>> counted;
  std::map<std::string, int> turns;
  for (const PlacedLaunch& one : launches_of_last(base_->program())) {
    const std::string& name = base_->program().kernels[static_cast<std::size_t>(one.launch->kernel)].name;
    const int turn = turns[name]++;
    if (std::find(counted_.begin(), counted_.end(), one.at) != counted_.end()) counted.insert({name, turn});
  }
  std::set<std::string> known;
  for (const auto& [name, turn] : counted) known.insert(name);
  std::map<runner::StepPlace, double> seconds;
  for (const ModelledLaunch& one : modelled.launches) seconds[one.at] = one.time.seconds;
  double work = 0;
  std::map<std::string, int> real_turns;
  for (const PlacedLaunch& one : launches_of_last(real)) {
    const std::string& name = real.kernels[static_cast<std::size_t>(one.launch->kernel)].name;
    const int turn = real_turns[name]++;
    const bool beyond = turn >= turns[name] && known.contains(name);
    if (counted.contains({name, turn}) || beyond) work += seconds[one.at];
  }
  double torch = 0;
  const auto& steps = real.forwards.back().steps;
  for (const program::Step& step : steps) {
    const auto* call = std::get_if<program::AtenCall>(&step);
    const program::Operator* op = call == nullptr ? nullptr : program::find_operator(call->op);
    if (op != nullptr && program::is_compute(op->kind)) torch += program::eager_seconds(real, *call, context_.target);
  }
  verdict_.work_share = work + torch > 0 ? work / (work + torch) : 0;
}

}  // namespace tritonrl::judge
