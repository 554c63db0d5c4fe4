#include "judge/funnel.h"

#include <list>
#include <random>

#include "base/error.h"
#include "base/lasting_thread.h"
#include "judge/device_references.h"
#include "judge/patience.h"
#include "judge/referee.h"
#include "judge/reward.h"
#include "judge/rules/names.h"
#include "judge/rules/rule_table.h"
#include "judge/stages/compile.h"
#include "judge/stages/measure.h"
#include "judge/stages/model_time.h"
#include "judge/stages/record.h"
#include "judge/stages/run_live.h"
#include "judge/stages/verify_full.h"
#include "judge/stages/verify_tiny.h"
#include "judge/trial.h"
#include "judge/version.h"
#include "sandbox/gpu_access.h"

namespace tritonrl::judge {

using record::Stage;

namespace {

constexpr std::uint32_t kOtherHashSeed = 20'261;
constexpr std::int64_t kCompileShare = 4;  // of the GPU's memory: for references that torch.compile works on
constexpr int kCompiledAtOnce = 6;         // each takes a core for seconds

std::uint64_t fresh_secret() {
  std::random_device device;
  return (std::uint64_t{device()} << 32) | device();
}

python::RecorderOptions second_options(python::RecorderOptions options) {
  options.hash_seed = kOtherHashSeed;
  options.warm = !options.background;  // for one candidate it starts one process
  return options;
}

// Null where no Python is to meet the GPU.
std::unique_ptr<python::Live> make_live(const ReplayerOptions& options, const JudgeOptions& judge) {
  if (judge.device == "cpu" || (!judge.live && judge.baseline != "compile")) return nullptr;
  python::LiveOptions out;
  out.interpreter = options.recorder.interpreter;
  out.policy = options.recorder.policy;
  out.library = options.recorder.library;
  out.index = runner::device_indices(judge.device, sandbox::gpu_count()).front();
  return std::make_unique<python::Live>(std::move(out));
}

record::Verdict begun(const JudgeOptions& options) {
  record::Verdict verdict;
  verdict.policy = options.policy;
  verdict.judge_version = judge_version();
  return verdict;
}

}  // namespace

struct Funnel::Processes {
  Processes(const ReplayerOptions& options, const JudgeOptions& judge)
      : runner(options.runner),
        second_started(base::made_aside(
            threads, [&] { return std::make_unique<python::Recorder>(second_options(options.recorder)); })),
        device_started(base::made_aside(threads,
                                        [&]() -> std::unique_ptr<runner::Devices> {
                                          if (judge.device == "cpu") return nullptr;
                                          return std::make_unique<runner::Devices>(
                                              options.device,
                                              runner::device_indices(judge.device, sandbox::gpu_count()));
                                        })),
        live_started(base::made_aside(threads, [&] { return make_live(options, judge); })),
        replayer(options),
        second(second_started.get()),
        secret(judge.seed ? *judge.seed : fresh_secret()),
        device(device_started.get()),
        live(live_started.get()),
        compile_room(program::find_target(judge.target).memory_bytes / kCompileShare, kCompiledAtOnce) {}

  runner::RunnerOptions runner;
  std::list<base::LastingThread> threads;
  std::future<std::unique_ptr<python::Recorder>> second_started;
  std::future<std::unique_ptr<runner::Devices>> device_started;
  std::future<std::unique_ptr<python::Live>> live_started;
  Replayer replayer;
  std::unique_ptr<python::Recorder> second;
  const std::uint64_t secret;
  const std::unique_ptr<runner::Devices> device;
  const std::unique_ptr<python::Live> live;
  DeviceReferences references;
  CompileBaselines baselines;
  GpuRoom compile_room;
};

struct Funnel::Parts {
  Parts(Processes& processes, const JudgeOptions& given, std::shared_ptr<Referee> known)
      : options(given),
        referee(known ? std::move(known)
                      : std::make_shared<Referee>(processes.replayer,
                                                  RefereeOptions{options, processes.runner, processes.secret})),
        tools{options,
              program::find_target(options.target),
              processes.replayer,
              *processes.second,
              *referee,
              processes.secret >> 2,
              processes.device.get(),
              &processes.references,
              processes.live.get(),
              &processes.baselines,
              &processes.compile_room} {}

  const JudgeOptions options;
  std::shared_ptr<Referee> referee;
  const JudgeTools tools;
};

Funnel::Funnel(const ReplayerOptions& replayer, const JudgeOptions& options)
    : processes_(std::make_shared<Processes>(replayer, options)),
      parts_(std::make_unique<Parts>(*processes_, options, nullptr)) {}

Funnel::Funnel(const Funnel& other, const JudgeOptions& options) : processes_(other.processes_) {
  const auto draws = [](const JudgeOptions& one) {
    return std::pair(one.without.contains(std::string(rules::kState)), one.protocol == "tf32");
  };
  const bool same_draws = draws(options) == draws(other.parts_->options);
  parts_ = std::make_unique<Parts>(*processes_, options, same_draws ? other.parts_->referee : nullptr);
}

Funnel::~Funnel() = default;

namespace {

// Without staging what is known to be wrong takes its time on the GPU too; nothing else that is found there is told.
void measure_wrong(const Trial& trial, const Full& full, TrialLog& log) {
  record::Verdict known = log.told;
  measure(trial, full, log);
  known.ms = std::move(log.told.ms);
  log.told = std::move(known);
}

Finding unjudged(const TaskCase& task) {
  return {record::VerdictKind::kUnjudged,
          "",
          {.message = "the task cannot be judged here: " + task.no_small,
           .advice = "give the task sizes that are integer constants (module-level names, literals of get_inputs and "
                     "get_init_inputs), and that its reference still takes where they are smaller"}};
}

// One candidate, stage by stage. UserError where the task must be fixed, InfrastructureError where the machine failed.
record::Verdict run(const Trial& trial) {
  const JudgeOptions& options = trial.options;
  const bool on_device = trial.tools.device != nullptr;
  const bool itself = trial.submission.reference_itself;
  TrialLog log(options, on_device ? "cuda" : "cpu");
  log.told.notes = trial.task->notes;
  log.told.degenerate = trial.task->degenerate;
  const bool gpu_alone = !trial.task->small && on_device && itself;  // too large for this machine, but not for the GPU
  // The same for every candidate: were some of them refused for other reasons, rates would count those alone.
  if (!trial.task->small && !gpu_alone) return std::move(log).end(unjudged(*trial.task));

  log.enter(Stage::kAst);
  Reached<Recorded> recorded = record_all(trial, log);
  if (!recorded) return std::move(log).end(recorded.finding());

  log.enter(Stage::kCompile);
  Reached<Compiled> compiled = compile_all(trial, std::move(*recorded), log);
  if (!compiled) return std::move(log).end(compiled.finding());

  if (gpu_alone) {
    log.enter(Stage::kFull);
    Reached<Measured> measured = measure(trial, {.real = std::move(compiled->real)}, log);
    return measured ? std::move(log).end_passed("") : std::move(log).end(measured.finding());
  }

  const bool staged = options.enable_staged_eval && options.staged_tiny_batch_first && trial.on(rules::kTiny);
  log.enter(staged ? Stage::kTiny : Stage::kFull);
  Evidence outputs = trial.evidence();
  outputs.reference = &trial.task->reference;
  outputs.candidate = &compiled->real.program();
  if (const auto finding = first_broken({LooksAt::kOutputs}, outputs, log, Tell::kWhatHolds))
    return std::move(log).end(*finding);
  Reached<Verified> tiny = staged ? verify_tiny(trial, *compiled, log) : Verified();
  if (!tiny) return std::move(log).end(tiny.finding());

  log.enter(Stage::kFull);
  const Full full = verify_full(trial, std::move(*compiled), std::move(*tiny), log);
  const bool right = !full.wrong;
  if (options.enable_calibrated_timing &&
      (right || (!options.staged_skip_timing_on_failure && !full.launches.empty()))) {
    if (right && !on_device) log.enter(Stage::kTiming);
    if (!on_device || !full.launches.empty() || itself) {
      const Modelled modelled = model_time(trial, full);
      log.told.timing = modelled.timing;
      log.told.work_share = modelled.work_share;
    }
  }
  if (!right) {
    if (on_device && !options.enable_staged_eval) measure_wrong(trial, full, log);
    return std::move(log).end(*full.wrong);
  }

  Reached<Measured> measured = on_device ? measure(trial, full, log) : Measured{full.real};
  if (!measured) return std::move(log).end(measured.finding());
  Evidence share = trial.evidence();
  share.work_share = log.told.work_share;
  if (const auto finding = first_broken({LooksAt::kShare}, share, log)) return std::move(log).end(*finding);
  if (options.live && trial.tools.live != nullptr && !itself) {
    if (const auto finding = run_live(trial, *measured, log)) return std::move(log).end(*finding);
  }
  return std::move(log).end_passed("right on all variations that apply");
}

}  // namespace

record::Verdict Funnel::judge(const Submission& submission) {
  if (!submission.reference_itself && submission.code.empty())
    return no_code(submission.extraction.value_or("the answer is empty"));
  try {
    return judged_patiently([&](int patience) {
      const Trial trial(parts_->tools, submission, patience);
      record::Verdict verdict = run(trial);
      return Tried{.verdict = std::move(verdict), .starved = trial.budget.starved()};
    });
  } catch (const base::InfrastructureError& error) {
    record::Verdict verdict = begun(parts_->options);
    verdict.kind = record::VerdictKind::kInfrastructure;
    verdict.message = error.what();
    return verdict;
  }
}

record::Verdict Funnel::no_code(const std::string& reason) const {
  record::Verdict verdict = begun(parts_->options);
  verdict.kind = record::VerdictKind::kNoCode;
  verdict.message = reason;
  give_reward(verdict, 0, parts_->options);
  return verdict;
}

std::string Funnel::device() const {
  return processes_->device ? processes_->device->names() : "";
}

}  // namespace tritonrl::judge
