#include "judge/stages/record.h"

#include "judge/rules/names.h"
#include "judge/rules/rule_table.h"

namespace tritonrl::judge {
namespace {

// Beyond what the rule on questions allows in three forwards and a constructor.
constexpr int kMaxQuestions = 400;

// All in one process: its start is paid once.
Recorded recorded_of(const Trial& trial) {
  Recorded out;
  std::vector<python::RecordRequest> requests;
  std::vector<python::RecordOutcome*> owners;
  const auto add = [&](python::RecordRequest request, const Draw* draw, python::RecordOutcome* owner) {
    Replayer::Draws draws;
    draws.most_bytes = kAnswerableBytes;
    draws.budget = trial.budget;
    if (draw != nullptr) {
      draws.seed = draw->seed;
      draws.inputs = draw->inputs;
    }
    request.answer = trial.tools.replayer.answerer(std::move(draws));
    request.max_questions = trial.on(rules::kQuestions) ? kMaxQuestions : 0;
    requests.push_back(std::move(request));
    owners.push_back(owner);
  };
  const auto add_sized = [&](const std::optional<SizedTask>& size, std::optional<python::RecordOutcome>& owner) {
    if (size) add(trial.request_at(*size), size->find("original"), &owner.emplace());
  };
  const TaskCase& task = *trial.task;
  add(trial.request_at(trial.submission.task, trial.precision, kForwards), nullptr, &out.real);
  requests.front().check_source = !trial.submission.reference_itself;
  requests.front().needed = true;
  add_sized(task.small, out.small);
  if (trial.options.staged_tiny_batch_first) add_sized(task.tiny, out.tiny);
  if (trial.wants("shape")) add_sized(task.odd, out.odd);
  if (trial.wants("dtype")) add_sized(task.half, out.half);
  std::vector<python::RecordOutcome> outcomes =
      trial.tools.replayer.recorder().record_all(requests, trial.record_limits());
  for (std::size_t i = 0; i < outcomes.size(); ++i) *owners[i] = std::move(outcomes[i]);
  return out;
}

std::vector<TrialLog::File> files_of(const Trial& trial, const program::Program& program) {
  const record::Task& task = trial.submission.task;
  std::vector<TrialLog::File> out;
  for (const std::string& file : program.files)
    out.push_back({file, file == task.id ? task.source : trial.submission.code});
  return out;
}

}  // namespace

std::optional<Finding> intrusion_in(const python::RecordOutcome& recording) {
  if (recording.kind != python::RecordOutcome::Kind::kIntrusion) return std::nullopt;
  Violation what{.message = recording.message, .advice = "compute from the arguments of forward alone"};
  if (recording.line > 0) what.at = record::SourcePlace{recording.file, recording.line, recording.code};
  return broken(rules::kIntrusion, std::move(what));
}

Reached<Recorded> record_all(const Trial& trial, TrialLog& log) {
  Recorded out = recorded_of(trial);
  log.told.sandbox = to_string(out.real.level);
  if (out.real.program) log.recorded(files_of(trial, *out.real.program));
  // without a report the process died before it could look: the next stage says how
  if (trial.submission.reference_itself || !out.real.source) return out;
  Evidence evidence = trial.evidence();
  evidence.source = &*out.real.source;
  if (const auto finding = first_broken({LooksAt::kFile}, evidence, log)) return *finding;
  if (trial.on(rules::kAst)) log.passed("ast", std::to_string(out.real.source->jit_functions.size()) + " kernels");
  return out;
}

}  // namespace tritonrl::judge
