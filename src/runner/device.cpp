#include "runner/device.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <numeric>
#include <unordered_map>

#include "base/error.h"
#include "base/fields.h"
#include "base/loader_path.h"
#include "base/sha256.h"
#include "runner/device_messages.h"
#include "runner/device_process.h"
#include "runner/gpu_lock.h"
#include "sandbox/gpu_access.h"
#include "sandbox/zygote.h"

namespace tritonrl::runner {
namespace {

using base::Json;
using Clock = std::chrono::steady_clock;

constexpr std::int64_t kLongest = std::int64_t{24} * 3600 * 1000;  // of a process; each request has a limit of its own

double ms_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

sandbox::ZygoteOptions zygote_options(const DeviceOptions& options) {
  sandbox::ZygoteOptions out;
  out.command = {options.executable, "--serve"};
  out.max_message_bytes = kMaxFrame + 4096;
  out.environment = {"PATH=/usr/bin:/bin",   "LANG=C.UTF-8",
                     "HOME=/nonexistent",    "OMP_NUM_THREADS=1",
                     "MKL_NUM_THREADS=1",    "CUDA_MODULE_LOADING=LAZY",
                     "CUDA_CACHE_DISABLE=1", "TORCH_SHOW_CPP_STACKTRACES=0"};
  for (std::string& one : sandbox::gpu_environment(options.index)) out.environment.push_back(std::move(one));
  for (std::string& one : base::loader_environment(options.libraries)) out.environment.push_back(std::move(one));
  return out;
}

sandbox::Policy policy_of(const DeviceOptions& options, pid_t zygote) {
  sandbox::Policy out = sandbox::gpu_policy(options.policy, zygote);
  out.wall_ms = kLongest;
  out.cpu_seconds = kLongest / 1000;
  out.processes = false;
  return out;
}

// What an answer says; one of another form is the machine's fault, since the process completed.
template <typename Answer>
Answer answer_of(const DeviceProcess::Reply& reply) {
  Answer out;
  try {
    base::read_fields(reply.body, out);
  } catch (const base::JsonError& error) {
    throw base::InfrastructureError("device", std::string("an answer that cannot be read: ") + error.what());
  }
  return out;
}

bool all_right(const std::vector<OutputComparison>& outputs) {
  return std::all_of(outputs.begin(), outputs.end(), [](const OutputComparison& one) { return one.wrong == 0; });
}

}  // namespace

DeviceTimingOptions timing_request(const DeviceWork& work, double reference_us) {
  DeviceTimingOptions out;
  out.warmup = work.warmup;
  out.trials = work.trials;
  out.use_events = work.use_events;
  out.budget_ms = work.budget_ms;
  out.secret = work.secret;
  out.reference_us = reference_us;
  return out;
}

bool DeviceDrawResult::right() const {
  return completed(outcome) && broken_fences == 0 && all_right(outputs);
}

namespace {

bool wrong_is_timed(const DeviceWork& work, const DeviceReport& report) {
  return work.time_wrong && !report.draws.empty() && completed(report.draws.back().outcome) &&
         report.draws.size() == work.draws.size();
}

}  // namespace

struct Device::Impl {
  explicit Impl(DeviceOptions given) : options(std::move(given)) {
    if (sandbox::gpu_devices().empty())
      throw base::UserError("device", "there is no NVIDIA GPU here (no /dev/nvidia0): judge without one, --device cpu");
    zygote = std::make_unique<sandbox::Zygote>(zygote_options(options));
    policy = policy_of(options, zygote->pid());
    referee = start();
    candidates = start();
    spare = start();
    const DeviceProcess::Reply hello = referee->ask(Json{{"do", "hello"}}, options.draw_ms);
    if (!completed(hello.outcome)) throw base::UserError("device", "the GPU cannot be used: " + hello.outcome.message);
    facts = answer_of<DeviceFacts>(hello);
    others = std::make_unique<GpuLock>(facts.uuid);
  }

  std::unique_ptr<DeviceProcess> start() { return std::make_unique<DeviceProcess>(zygote->start(policy)); }

  // The process for candidates; a broken one is replaced, and the next spare begins to warm itself.
  DeviceProcess& ready() {
    if (candidates && candidates->alive()) return *candidates;
    candidates = std::move(spare);
    spare = start();
    return *candidates;
  }

  DeviceProcess& ready_referee() {
    if (!referee->alive()) referee = start();
    return *referee;
  }

  // What the candidate's process makes of one draw.
  DeviceDrawResult run(const DeviceWork& work, const DeviceDraw& draw, const DeviceProcess::Reply& drawn, bool tune,
                       DeviceReport& report) {
    DeviceDrawResult out;
    out.variation = draw.variation;
    DeviceProcess& process = ready();
    if (loaded != &process) {
      out.outcome = process.load("candidate", *work.candidate, options.run_ms);
      if (!completed(out.outcome)) return out;
      loaded = &process;
    }
    DrawAnswer tensors = answer_of<DrawAnswer>(drawn);
    const RunOrder order{
        .seed = draw.seed, .tune = tune, .inputs = std::move(tensors.inputs), .outputs = std::move(tensors.outputs)};
    const DeviceProcess::Reply reply = process.ask("run", order, options.run_ms, drawn.descriptors);
    out.outcome = reply.outcome;
    if (!completed(out.outcome)) return out;
    RunAnswer answer = answer_of<RunAnswer>(reply);
    out.broken_fences = answer.broken_fences;
    if (tune) report.tuned = std::move(answer.tuned);
    return out;
  }

  std::vector<OutputComparison> compare(const DeviceWork& work) {
    const DeviceProcess::Reply reply =
        ready_referee().ask("compare", CompareOrder{.outputs = work.tolerances, .tf32 = work.tf32}, options.draw_ms);
    if (!completed(reply.outcome)) throw base::InfrastructureError("device", "comparing: " + reply.outcome.message);
    return answer_of<CompareAnswer>(reply).outputs;
  }

  // False: nothing more is to be tried.
  bool judge_draw(const DeviceWork& work, const DeviceDraw& draw, bool tune, DeviceReport& report) {
    DeviceProcess& knows = ready_referee();
    report.reference = knows.load("reference", *work.reference, options.draw_ms);
    if (!completed(report.reference)) return false;
    const DeviceProcess::Reply drawn = knows.ask("draw", draw, options.draw_ms);
    report.reference = drawn.outcome;
    if (!completed(report.reference)) return false;
    if (std::string why = answer_of<DrawAnswer>(drawn).not_applicable; !why.empty()) {
      DeviceDrawResult& out = report.draws.emplace_back();
      out.variation = draw.variation;
      out.not_applicable = std::move(why);
      return true;
    }
    const int before = ready().served;
    DeviceDrawResult result = run(work, draw, drawn, tune, report);
    const auto kind = result.outcome.kind;
    if ((kind == RunOutcome::Kind::kFault || kind == RunOutcome::Kind::kCrashed) && before > 0) {
      // the process may have been broken by someone before
      if (loaded != nullptr && loaded->alive()) candidates.reset();
      loaded = nullptr;
      report.tuned.clear();
      result = run(work, draw, drawn, tune, report);
    }
    if (completed(result.outcome)) result.outputs = compare(work);
    report.draws.push_back(std::move(result));
    return report.draws.back().right();
  }

  void time(const DeviceWork& work, DeviceReport& report) {
    DeviceProcess& process = ready();
    report.timing = process.load("reference", *work.reference, options.draw_ms);
    if (!completed(report.timing)) return;
    std::vector<double>& known =
        reference_times[base::sha256(process.reference()) + (work.use_events ? "" : " by the host's clock")];
    const double known_us =
        known.empty() ? 0 : std::accumulate(known.begin(), known.end(), 0.0) / static_cast<double>(known.size());
    const DeviceProcess::Reply reply = process.ask("time", timing_request(work, known_us), options.timing_ms);
    report.timing = reply.outcome;
    if (!completed(report.timing)) return;
    DeviceTimes told = answer_of<DeviceTimes>(reply);
    MeasuredTimes& times = report.times.emplace();
    times.reference_us = std::move(told.reference_us);
    times.candidate_us = std::move(told.candidate_us);
    times.reference_host_us = told.reference_host_us;
    times.candidate_host_us = told.candidate_host_us;
    times.hidden = told.hidden;
    times.differing = told.differing;
    times.reference_known = times.reference_us.size() < known.size();
    if (times.reference_known) {
      times.reference_us.insert(times.reference_us.end(), known.begin(), known.end());
    } else {
      known = times.reference_us;
    }
    times.outputs = compare(work);
  }

  DeviceReport judge(const DeviceWork& work) {
    DeviceReport report;
    const auto asked = Clock::now();
    const std::lock_guard<std::mutex> lock(mutex);
    GpuLock::Held gpu(*others, GpuLock::Kind::kShared);
    report.waited_ms = ms_since(asked);
    const auto begin = Clock::now();
    loaded = nullptr;
    bool right = true, applied = false;
    for (const DeviceDraw& draw : work.draws) {
      right = judge_draw(work, draw, work.tuned && report.tuned.empty(), report) && right;
      const bool ran = !report.draws.empty() && completed(report.reference) && completed(report.draws.back().outcome);
      if (!right && (!work.all_draws || !ran)) break;
      applied = applied || report.draws.back().not_applicable.empty();
    }
    report.numerics_ms = ms_since(begin);
    // the last draw's tensors are those that are timed
    if ((right || wrong_is_timed(work, report)) && applied && work.timed &&
        report.draws.back().not_applicable.empty()) {
      const auto before = Clock::now();
      gpu.become(GpuLock::Kind::kAlone);
      report.waited_ms += ms_since(before);
      const auto clock = Clock::now();
      time(work, report);
      report.timing_ms = ms_since(clock);
    }
    if (candidates && candidates->alive()) {
      ++candidates->served;
      candidates->ask(Json{{"do", "release"}}, options.run_ms);
    }
    return report;
  }

  DeviceOptions options;
  sandbox::Policy policy;
  DeviceFacts facts;
  std::mutex mutex;
  std::unique_ptr<GpuLock> others;  // that use the same GPU
  std::unique_ptr<sandbox::Zygote> zygote;
  std::unique_ptr<DeviceProcess> referee, candidates, spare;
  const DeviceProcess* loaded = nullptr;                                 // the process that has the candidate
  std::unordered_map<std::string, std::vector<double>> reference_times;  // by the reference's program
};

Device::Device(DeviceOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Device::~Device() = default;

DeviceReport Device::judge(const DeviceWork& work) {
  return impl_->judge(work);
}

void Device::alone(const std::function<void()>& work) {
  const std::lock_guard<std::mutex> lock(impl_->mutex);
  const GpuLock::Held gpu(*impl_->others, GpuLock::Kind::kAlone);
  for (const auto& process : {&impl_->referee, &impl_->candidates}) {
    if (*process) (*process)->release_all(impl_->options.run_ms);
  }
  work();
}

void Device::beside(const std::function<void()>& work) {
  const GpuLock own(impl_->facts.uuid);  // a lock of its own: that of the judged candidates changes its kind meanwhile
  const GpuLock::Held gpu(own, GpuLock::Kind::kShared);
  work();
}

const DeviceFacts& Device::facts() const {
  return impl_->facts;
}

}  // namespace tritonrl::runner
