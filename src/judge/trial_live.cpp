#include <random>

#include "base/sha256.h"
#include "judge/measured_times.h"
#include "judge/rules.h"
#include "judge/trial.h"
#include "runner/structure_tensors.h"

// Stage timing, where Python itself runs on the GPU: the candidate's file as it stands, and torch.compile as a
// baseline.

namespace tritonrl::judge {

using record::Stage;
using record::VerdictKind;

namespace {

constexpr std::size_t kMostOfMessage = 400;

std::string in_short(const std::string& message) {
  if (message.size() <= kMostOfMessage) return message;
  return std::string(message, 0, kMostOfMessage).append("...");
}

// One of its own: the candidate's process sees it, and nobody must find the others from it.
std::uint64_t seed_of(const JudgeOptions& options) {
  if (!options.seed) return std::random_device{}() & 0x7fffffff;
  return std::stoull(base::sha256("live " + std::to_string(*options.seed)).substr(0, 7), nullptr, 16);
}

}  // namespace

python::LiveTask Trial::live_task() const {
  return {
      .task = submission_.task, .precision = task_->small ? task_->small->precision : "", .seed = seed_of(options_)};
}

bool Trial::run_live() {
  enter(Stage::kTiming);
  const program::Program& reference = task_->reference;
  const program::Program& recorded = *real_recording_.program;
  python::LiveRequest request;
  request.of = live_task();
  request.candidate = code_;
  request.candidate_name = submission_.name.empty() ? "candidate.py" : submission_.name;
  const auto want = runner::tensors_of(reference.forwards.back().outputs);
  const auto have = runner::tensors_of(recorded.forwards.back().outputs);
  for (std::size_t i = 0; i < want.size(); ++i) {
    const program::Tensor& tensor = recorded.tensors[static_cast<std::size_t>(have[i].index)];
    const Tolerance tolerance = tolerance_of(reference.tensors[static_cast<std::size_t>(want[i].index)].dtype);
    request.outputs.push_back({tensor.dtype, tensor.sizes, tolerance.atol, tolerance.rtol});
  }
  python::LiveOutcome outcome;
  context_.device->alone([&] {
    const auto begin = std::chrono::steady_clock::now();
    outcome = context_.live->run(request);
    const auto took = std::chrono::steady_clock::now() - begin;
    verdict_.ms["device_live"] += std::chrono::duration<double, std::milli>(took).count();
  });
  record::LiveResult& live = verdict_.live.emplace();
  live.message = outcome.message;
  if (outcome.wall_us > 0) live.wall_us = outcome.wall_us;
  if (outcome.reference_wall_us > 0) live.reference_wall_us = outcome.reference_wall_us;
  if (live.wall_us && live.reference_wall_us) live.speedup = *live.reference_wall_us / *live.wall_us;
  if (outcome.kind == python::LiveOutcome::Kind::kUnknown) {
    verdict_.notes.push_back("not known whether the file agrees with its recording: " + in_short(outcome.message));
    return true;
  }
  live.agrees = outcome.kind == python::LiveOutcome::Kind::kAgrees;
  if (*live.agrees || !outcome.got.empty()) live.max_error = outcome.max_error;
  if (*live.agrees) {
    passed(rules::kDiffersLive);
    return true;
  }
  verdict_.expected = outcome.expected;
  verdict_.got = outcome.got;
  return fail(VerdictKind::kWrong, rules::kDiffersLive, "run as it stands, on the GPU: " + outcome.message);
}

void Trial::measure_over_compile(const runner::MeasuredTimes& times) {
  const python::LiveTask of = live_task();
  const python::CompiledTimes compiled = context_.baselines->find(task_key(of.task) + "\n" + of.precision, [&] {
    python::CompiledTimes out;
    context_.device->alone([&] { out = context_.live->time_compiled(of); });
    return out;
  });
  if (compiled.us.empty()) {
    verdict_.notes.push_back("the speed-up is over eager torch, since torch.compile fails for this task: " +
                             in_short(compiled.failure));
    return;
  }
  const Speedup speedup = speedup_of(compiled.us, times.candidate_us);
  record::Timing& timing = *verdict_.timing;
  timing.baseline = "compile";
  timing.compile_us = speedup.reference.mean;
  timing.speedup_over_compile = timing.speedup = speedup.ratio;
  timing.speedup_low = speedup.low;
  timing.speedup_high = speedup.high;
}

}  // namespace tritonrl::judge
