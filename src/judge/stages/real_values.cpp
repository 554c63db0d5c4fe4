#include "judge/stages/real_values.h"

#include <algorithm>
#include <cstring>

#include "judge/compare.h"
#include "judge/constant_state.h"
#include "judge/mending.h"
#include "judge/rules/names.h"
#include "runner/structure_tensors.h"

namespace tritonrl::judge {
namespace {

using record::VerdictKind;
using runner::RunOutcome;
using runner::TensorData;

// What the kernel machine does in a millisecond on one core: a model, so that a verdict does not depend on the load.
constexpr double kOpsPerMs = 1e5, kSpecialPerMs = 3e4, kDotOpsPerMs = 2e6, kBytesPerMs = 1e5, kProgramsPerMs = 50;

double milliseconds_of(const std::vector<runner::LaunchReport>& launches) {
  double out = 0;
  for (const runner::LaunchReport& report : launches) {
    const machine::Counters& counters = report.counters;
    out += (counters.integer_ops + counters.float_ops + counters.double_ops) / kOpsPerMs +
           counters.special_ops / kSpecialPerMs + static_cast<double>(counters.programs) / kProgramsPerMs;
    for (const double ops : counters.dot_ops) out += ops / kDotOpsPerMs;
    for (const machine::TensorTraffic& one : counters.tensors) out += (one.load_bytes + one.store_bytes) / kBytesPerMs;
  }
  return out;
}

bool has_rows(const program::Program& program, const program::Structure& structure, const program::Program& reference,
              const program::Structure& wanted) {
  const auto mine = runner::tensors_of(structure), theirs = runner::tensors_of(wanted);
  if (mine.size() != theirs.size()) return false;
  for (std::size_t i = 0; i < mine.size(); ++i) {
    if (program.tensors[static_cast<std::size_t>(mine[i].index)].sizes !=
        reference.tensors[static_cast<std::size_t>(theirs[i].index)].sizes)
      return false;
  }
  return true;
}

// What is not known is taken from the answer, and so is equal to it.
std::vector<TensorData> completed(std::vector<TensorData> got, const std::vector<std::string>& known,
                                  const std::vector<TensorData>& expected) {
  for (std::size_t t = 0; t < std::min(got.size(), expected.size()); ++t) {
    if (got[t].bytes.size() != expected[t].bytes.size()) continue;  // another type: told by the comparison
    const std::size_t size = known[t].empty() ? 1 : got[t].bytes.size() / known[t].size();
    for (std::size_t i = 0; i < known[t].size(); ++i) {
      if (known[t][i] == 0) std::memcpy(got[t].bytes.data() + i * size, expected[t].bytes.data() + i * size, size);
    }
  }
  return got;
}

}  // namespace

RealValues::RealValues(const Trial& trial, const SizedCandidate& real) : trial_(trial) {
  if (trial.tools.device != nullptr || trial.options.real_values_ms <= 0 || !trial.on(rules::kUnverified) ||
      trial.submission.reference_itself)
    return;
  // what was recorded for the answers of some data holds for no other
  const auto asks = [](const program::Program& program) {
    return asks_for_values(program) ||
           std::any_of(program.forwards.begin(), program.forwards.end(),
                       [](const program::Forward& forward) { return asks_for_values(forward.make_inputs); });
  };
  if (asks(real.program()) || asks(trial.task->reference)) {
    note_ = "the program depends on values that it asks for";
    return;
  }
  rows_ = trial.tools.referee.rows(*trial.task);
  const program::Forward &mine = real.program().forwards.back(), &reference = trial.task->reference.forwards.front();
  if (rows_ && (!has_rows(real.program(), mine.inputs, trial.task->reference, reference.inputs) ||
                !has_rows(real.program(), mine.outputs, trial.task->reference, reference.outputs)))
    rows_ = nullptr;
  if (!rows_) {
    note_ = "the reference's results depend on one another, or a single row takes too long";
    return;
  }
  // one that makes its buffers, or a constant parameter, in another way keeps its own: small sizes judge that
  state_ = rows_->state;
  DrawnState given = drawn_of(real.program(), state_);
  if (!given.missing.empty()) {
    std::erase_if(state_, [](const GivenState& one) { return one.buffer; });
    given = drawn_of(real.program(), state_);
  }
  if (given.missing.empty())
    drawn_ = std::move(given.drawn);
  else
    state_.clear();
}

void RealValues::ask(runner::RunRequest& how) const {
  if (!rows_) return;
  Referee& referee = trial_.tools.referee;
  how.seed = referee.row_seed(*trial_.task);
  how.drawn = drawn_;
  how.rows = {.count = rows_->count,
              .most = rows_->sizes.front().rows,
              .inputs = rows_->inputs,
              .outputs = rows_->outputs,
              .seed = trial_.tools.garbage_seed,
              .positive = referee.needs_positive(*trial_.task),
              .torch_ms = static_cast<double>(trial_.options.real_values_ms)};
}

Finding RealValues::wrong(std::string message) const {
  return {VerdictKind::kWrong,
          std::string(rules::kUnverified),
          {.message = "at the task's real sizes: " + std::move(message),
           .advice = "compute the same at the task's own sizes as at small ones"}};
}

std::optional<Finding> RealValues::judge(const runner::RunRequest& how, const RunOutcome& outcome) {
  const runner::RowValues& values = *outcome.rows;
  if (!values.unknown.empty()) {
    note_ = values.unknown;
    return std::nullopt;
  }
  if (values.incomplete) return wrong("a part of an output is stored by no program");
  const auto size = std::find_if(rows_->sizes.begin(), rows_->sizes.end(),
                                 [&](const RowTask::Narrow& one) { return one.rows == how.rows->most; });
  const std::shared_ptr<const RowAnswer> answer =
      trial_.tools.referee.answer(*trial_.task, *size, values.inputs, state_);
  if (!answer) {
    note_ = "the reference does not run on these rows";
    return std::nullopt;
  }
  if (!answer->finite && !how.rows->positive) {
    trial_.tools.referee.remember_positive(*trial_.task);
    runner::RunRequest again = how;
    again.rows->positive = true;
    const RunOutcome other = trial_.tools.replayer.runner().run(again, trial_.budget);
    if (other.kind == RunOutcome::Kind::kCompleted && other.rows) return judge(again, other);
    return std::nullopt;
  }
  const Truth truth{answer->oracle.empty() ? nullptr : &answer->oracle,
                    answer->coarse.empty() ? nullptr : &answer->coarse};
  const Comparison comparison = compare(answer->expected, completed(values.outputs, values.written, answer->expected),
                                        truth, {.tolerances = tolerances_of(trial_.options)});
  if (!comparison.equal) {
    Finding out =
        wrong(comparison.message + " (in " + std::to_string(how.rows->most) + " of " + std::to_string(rows_->count) +
              " rows, from row " + std::to_string(values.rows.front()) + " on)");
    out.what.expected = comparison.expected;
    out.what.got = comparison.got;
    return out;
  }
  ++compared_;
  whole_ = values.whole;
  all_rows_ = values.whole && how.rows->most == rows_->count;
  return std::nullopt;
}

std::optional<Finding> RealValues::judge_sample(const runner::RunRequest& how, const RunOutcome& outcome) {
  if (!rows_ || !outcome.rows) return std::nullopt;
  samples_.push_back({how, milliseconds_of(outcome.launches), outcome.rows->whole && outcome.rows->unknown.empty()});
  return judge(how, outcome);
}

std::optional<Finding> RealValues::judge_whole() {
  double left = static_cast<double>(trial_.options.real_values_ms);
  const auto sampled = static_cast<std::size_t>(compared_);
  std::size_t done = 0;
  bool rows = true;
  for (Cheap& one : samples_) {
    if (one.whole) {
      rows = rows && one.how.rows->most == rows_->count;
      ++done;
      continue;
    }
    if (one.milliseconds > left) break;
    left -= one.milliseconds;
    one.how.sample = runner::kAllPrograms;
    one.how.rows->most = rows_->sizes.back().rows;
    one.how.rows->positive = trial_.tools.referee.needs_positive(*trial_.task);
    one.how.machine.cover = false;
    one.how.machine.check_races = trial_.on(rules::kRace);
    one.how.wall_ms = one.how.machine.wall_ms = trial_.remaining_ms();
    const RunOutcome outcome = trial_.tools.replayer.runner().run(one.how, trial_.budget);
    if (outcome.kind == RunOutcome::Kind::kFault) {
      Finding out = wrong(outcome.message);
      out.kind = VerdictKind::kCrashed;
      if (!outcome.launches.empty() && !outcome.launches.back().findings.empty())
        out.rule = to_string(outcome.launches.back().findings.back().kind);
      return out;
    }
    if (outcome.kind != RunOutcome::Kind::kCompleted || !outcome.rows) break;
    for (const runner::LaunchReport& report : outcome.launches) {
      for (const machine::Finding& finding : report.findings) {
        if (finding.kind != machine::Finding::Kind::kRace || !one.how.machine.check_races) continue;
        Finding out = wrong(finding.message);
        out.rule = rules::kRace;
        return out;
      }
    }
    const int before = compared_;
    if (auto finding = judge(one.how, outcome)) return finding;
    if (compared_ == before) break;
    rows = rows && all_rows_;
    ++done;
  }
  whole_ = done > 0 && done == samples_.size();
  all_rows_ = whole_ && rows;
  compared_ = static_cast<int>(std::max(sampled, done));
  return std::nullopt;
}

std::string RealValues::unseen() const {
  if (compared_ == 0 || static_cast<std::size_t>(compared_) < samples_.size()) return "values_at_real_sizes";
  return all_rows_ ? "" : whole_ ? "rows_at_real_sizes" : "programs_at_real_sizes";
}

}  // namespace tritonrl::judge
