#include "judge/funnel.h"

#include <list>
#include <random>

#include "base/error.h"
#include "base/lasting_thread.h"
#include "judge/device_references.h"
#include "judge/referee.h"
#include "judge/reward.h"
#include "judge/rules.h"
#include "judge/trial.h"
#include "judge/version.h"
#include "sandbox/gpu_access.h"
#include "text/extract_code.h"

namespace tritonrl::judge {
namespace {

constexpr std::uint32_t kOtherHashSeed = 20'261;

std::uint64_t fresh_secret() {
  std::random_device device;
  return (std::uint64_t{device()} << 32) | device();
}

python::RecorderOptions second_options(python::RecorderOptions options) {
  options.hash_seed = kOtherHashSeed;
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
        live(live_started.get()) {}

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
};

struct Funnel::Parts {
  Parts(Processes& processes, const JudgeOptions& given, std::shared_ptr<Referee> known)
      : options(given),
        referee(known ? std::move(known)
                      : std::make_shared<Referee>(processes.replayer,
                                                  RefereeOptions{options, processes.runner, processes.secret})),
        context{options,
                program::find_target(options.target),
                processes.replayer,
                *processes.second,
                *referee,
                processes.secret >> 2,
                processes.device.get(),
                &processes.references,
                processes.live.get(),
                &processes.baselines} {}

  const JudgeOptions options;
  std::shared_ptr<Referee> referee;
  const TrialContext context;
};

Funnel::Funnel(const ReplayerOptions& replayer, const JudgeOptions& options)
    : processes_(std::make_shared<Processes>(replayer, options)),
      parts_(std::make_unique<Parts>(*processes_, options, nullptr)) {}

Funnel::Funnel(const Funnel& other, const JudgeOptions& options) : processes_(other.processes_) {
  const std::string state(rules::kState);
  const bool same_draws = options.without.contains(state) == other.parts_->options.without.contains(state);
  parts_ = std::make_unique<Parts>(*processes_, options, same_draws ? other.parts_->referee : nullptr);
}

Funnel::~Funnel() = default;

record::Verdict Funnel::judge(const Submission& submission) {
  std::string code = submission.code;
  if (!submission.reference_itself && !submission.answer.empty()) {
    const text::ExtractedCode extracted = text::extract_code(submission.answer);
    if (!extracted.found) return no_code(extracted.reason);
    code = extracted.code;
  }
  if (!submission.reference_itself && code.empty()) return no_code("the answer is empty");
  try {
    return Trial(parts_->context, submission, std::move(code)).run();
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

std::unique_ptr<Judge> make_funnel(const ReplayerOptions& replayer, const JudgeOptions& options) {
  return std::make_unique<Funnel>(replayer, options);
}

}  // namespace tritonrl::judge
