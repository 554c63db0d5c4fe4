#include "judge/stages/run_live.h"

#include <random>

#include "base/sha256.h"
#include "judge/measured_times.h"
#include "judge/rules/rule_table.h"
#include "judge/rules/tensor_text.h"
#include "runner/structure_tensors.h"

namespace tritonrl::judge {
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

python::LiveTask live_task(const Trial& trial) {
  return {.task = trial.submission.task, .precision = trial.precision, .seed = seed_of(trial.options)};
}

record::LiveResult result_of(const python::LiveOutcome& outcome) {
  record::LiveResult out;
  out.message = outcome.message;
  if (outcome.wall_us > 0) out.wall_us = outcome.wall_us;
  if (outcome.reference_wall_us > 0) out.reference_wall_us = outcome.reference_wall_us;
  if (out.wall_us && out.reference_wall_us) out.speedup = *out.reference_wall_us / *out.wall_us;
  if (outcome.kind == python::LiveOutcome::Kind::kUnknown) return out;
  out.agrees = outcome.kind == python::LiveOutcome::Kind::kAgrees;
  if (*out.agrees || !outcome.got.empty()) out.max_error = outcome.max_error;
  return out;
}

}  // namespace

std::optional<Finding> run_live(const Trial& trial, const Measured& measured, TrialLog& log) {
  log.enter(record::Stage::kTiming);
  const program::Program& reference = trial.task->reference;
  const program::Program& recorded = measured.real.program();
  python::LiveRequest request;
  request.of = live_task(trial);
  request.candidate = trial.submission.code;
  request.candidate_name = trial.name;
  const auto want = runner::tensors_of(reference.forwards.back().outputs);
  const auto have = runner::tensors_of(recorded.forwards.back().outputs);
  for (std::size_t i = 0; i < want.size(); ++i) {
    const program::Tensor& tensor = tensor_of(recorded, have[i]);
    const Tolerance tolerance = tolerance_of(tensor_of(reference, want[i]).dtype);
    request.outputs.push_back({tensor.dtype, tensor.sizes, tolerance.atol, tolerance.rtol});
  }
  python::LiveOutcome outcome;
  trial.tools.device->alone([&] {
    const auto begin = std::chrono::steady_clock::now();
    outcome = trial.tools.live->run(request);
    const auto took = std::chrono::steady_clock::now() - begin;
    log.told.ms["device_live"] += std::chrono::duration<double, std::milli>(took).count();
  });
  log.told.live = result_of(outcome);
  if (outcome.kind == python::LiveOutcome::Kind::kUnknown) {
    log.told.notes.push_back("not known whether the file agrees with its recording: " + in_short(outcome.message));
    return std::nullopt;
  }
  Evidence evidence = trial.evidence();
  evidence.live = &outcome;
  return first_broken({LooksAt::kLive}, evidence, log, Tell::kWhatHolds);
}

namespace {

// Memory of the GPU that its forward takes at most: nothing is given back before the end.
std::int64_t gpu_bytes(const program::Program& program) {
  std::int64_t out = 0;
  for (const program::Storage& storage : program.storages)
    out += storage.device == program::Device::kTarget ? storage.bytes : 0;
  return out;
}

// While it compiles others use the GPU, unless there is no room for both.
python::CompiledTimes compiled_times(const Trial& trial, const python::LiveTask& of) {
  runner::Devices& device = *trial.tools.device;
  python::CompiledTimes out;
  const auto room = trial.tools.compile_room->take(gpu_bytes(trial.task->reference));
  if (room) {
    out = trial.tools.live->time_compiled(of, {.beside = [&](const auto& work) { device.beside(work); },
                                               .alone = [&](const auto& work) { device.alone(work); }});
  } else {
    const auto at_once = [](const std::function<void()>& work) { work(); };
    device.alone([&] { out = trial.tools.live->time_compiled(of, {.beside = at_once, .alone = at_once}); });
  }
  return out;
}

}  // namespace

void measure_over_compile(const Trial& trial, const runner::MeasuredTimes& times, TrialLog& log) {
  const python::LiveTask of = live_task(trial);
  const python::CompiledTimes compiled =
      trial.tools.baselines->find(task_key(of.task) + "\n" + of.precision, [&] { return compiled_times(trial, of); });
  if (compiled.us.empty()) {
    log.told.notes.push_back("the speed-up is over eager torch, since torch.compile fails for this task: " +
                             in_short(compiled.failure));
    return;
  }
  const Speedup speedup = speedup_of(compiled.us, times.candidate_us);
  record::Timing& timing = *log.told.timing;
  timing.baseline = "compile";
  timing.compile_us = speedup.reference.mean;
  timing.speedup_over_compile = timing.speedup = speedup.ratio;
  timing.speedup_low = speedup.low;
  timing.speedup_high = speedup.high;
}

}  // namespace tritonrl::judge
