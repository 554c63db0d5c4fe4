#include "cli/model/optimizer.h"

#include "judge/replay.h"
#include "optimize/state_names.h"
#include "optimize/teacher_candidates.h"
#include "program/target.h"

namespace tritonrl::cli {
namespace {

JudgeSetting setting_of(const judge::JudgeOptions& options, const CacheOptions& cache, const MachineOptions& machine) {
  JudgeSetting out(options, cache, machine);
  out.replayer = judge::in_background(std::move(out.replayer));
  return out;
}

python::RecorderOptions recording_machine(const MachineOptions& machine) {
  python::RecorderOptions out = recorder_options(machine);
  out.preload_compiler = false;
  return out;
}

}  // namespace

Optimizer::Judged::Judged(const judge::JudgeOptions& options, const CacheOptions& cache, const MachineOptions& machine)
    : setting(setting_of(options, cache, machine)), judge(setting, options) {}

// One for this thread, given back afterwards.
class Optimizer::Reader {
 public:
  explicit Reader(Optimizer& owner) : owner_(owner) {
    {
      const std::lock_guard<std::mutex> lock(owner.mutex_);
      if (!owner.readers_.empty()) {
        taken = std::move(owner.readers_.back());
        owner.readers_.pop_back();
      }
    }
    const python::RecorderOptions& machine = owner.machine_;
    if (!taken)
      taken = std::make_unique<python::SyntaxReader>(python::SyntaxReaderOptions{
          .interpreter = machine.interpreter, .policy = machine.policy, .library = machine.library});
  }
  ~Reader() {
    if (!taken) return;
    const std::lock_guard<std::mutex> lock(owner_.mutex_);
    owner_.readers_.push_back(std::move(taken));
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  std::unique_ptr<python::SyntaxReader> taken;

 private:
  Optimizer& owner_;
};

Optimizer::Optimizer(const OptimizeArguments& arguments, bool precision_given)
    : arguments_(arguments),
      precision_given_(precision_given),
      target_(program::find_target(arguments.judge.target)),
      machine_(recording_machine(arguments.machine)) {}

python::Recorder& Optimizer::recorder() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!recorder_) recorder_ = std::make_unique<python::Recorder>(machine_);
  return *recorder_;
}

optimize::Subject Optimizer::find(const optimize::SubjectRequest& request) {
  Reader reader(*this);
  optimize::SubjectTools tools;
  tools.reader = std::move(reader.taken);
  tools.recorder = [this]() -> python::Recorder& { return recorder(); };
  tools.target = &target_;
  tools.python_paths = machine_.interpreter.paths;
  optimize::Subject out = optimize::find_subject(request, tools);
  reader.taken = std::move(tools.reader);  // none: it was used up
  return out;
}

KeptJudge& Optimizer::judge_for(const optimize::Subject& subject) {
  judge::JudgeOptions options = arguments_.judge;
  // 16-bit inputs go with parameters of their type, unless the user said otherwise.
  const std::string precision = optimize::common_precision(subject.inputs);
  if (!precision.empty() && !precision_given_) options.precision = precision;
  const std::lock_guard<std::mutex> lock(mutex_);
  std::unique_ptr<Judged>& judge = judges_[options.precision];
  if (!judge) judge = std::make_unique<Judged>(options, arguments_.cache, arguments_.machine);
  return judge->judge;
}

optimize::Optimized Optimizer::run(const optimize::Subject& subject, optimize::OptimizeTools tools) {
  tools.judge = &judge_for(subject);
  tools.teacher = [this](const record::Task& task) {
    const Reader reader(*this);
    python::ExpressionTracer tracer(recorder(), target_);
    return optimize::teacher_candidates(task, strict(), *reader.taken, tracer);
  };
  return optimize::optimize(subject, arguments_.search, tools);
}

std::string Optimizer::other_state(const optimize::Optimized& found) {
  const optimize::Tried* best = found.best();
  return best == nullptr ? "" : optimize::other_state(found.task, best->candidate.code, recorder(), target_);
}

record::Verdict Optimizer::reference(const optimize::Subject& subject, const record::Task& task) {
  return judge_for(subject).judge({.id = "reference", .task = task, .reference_itself = true});
}

}  // namespace tritonrl::cli
