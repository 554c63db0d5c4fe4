#include "runner/device.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <nlohmann/json.hpp>
#include <numeric>
#include <unordered_map>

#include "base/error.h"
#include "base/sha256.h"
#include "runner/device_process.h"
#include "runner/gpu_lock.h"
#include "runner/wire_parts.h"
#include "sandbox/gpu_access.h"
#include "sandbox/zygote.h"

namespace tritonrl::runner {
namespace {

using Json = nlohmann::json;
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
  if (const char* libraries = std::getenv("LD_LIBRARY_PATH")) {
    out.environment.push_back(std::string("LD_LIBRARY_PATH=") + libraries);
  }
  return out;
}

sandbox::Policy policy_of(const DeviceOptions& options, pid_t zygote) {
  sandbox::Policy out = sandbox::gpu_policy(options.policy, zygote);
  out.wall_ms = kLongest;
  out.cpu_seconds = kLongest / 1000;
  out.processes = false;
  return out;
}

std::vector<OutputComparison> comparisons_of(const Json& body) {
  std::vector<OutputComparison> out;
  // numbers that JSON has no word for arrive as null
  const auto number = [](const Json& value) {
    return value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
  };
  for (const Json& one : body.at("outputs")) {
    out.push_back({.wrong = one.at("wrong").get<std::int64_t>(),
                   .max_error = number(one.at("max_error")),
                   .first = one.at("first").get<std::int64_t>(),
                   .expected = number(one.at("expected")),
                   .got = number(one.at("got"))});
  }
  return out;
}

bool all_right(const std::vector<OutputComparison>& outputs) {
  return std::all_of(outputs.begin(), outputs.end(), [](const OutputComparison& one) { return one.wrong == 0; });
}

}  // namespace

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
    facts = {.name = hello.body.at("name").get<std::string>(),
             .uuid = hello.body.at("uuid").get<std::string>(),
             .bytes_per_second = hello.body.at("bytes_per_second").get<double>(),
             .matrix_ops_per_second = hello.body.at("matrix_ops_per_second").get<double>()};
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
    Json request = {{"do", "run"}, {"seed", draw.seed}, {"tune", tune}};
    for (const char* list : {"inputs", "outputs"}) request[list] = drawn.body.at(list);
    const DeviceProcess::Reply reply = process.ask(request, options.run_ms, drawn.descriptors);
    out.outcome = reply.outcome;
    if (!completed(out.outcome)) return out;
    out.broken_fences = reply.body.value("broken_fences", std::int64_t{0});
    for (const Json& one : reply.body.at("tuned")) {
      if (tune) report.tuned.push_back({.at = place_from_json(one.at(0)), .variant = one.at(1).get<int>(), .image = 0});
    }
    return out;
  }

  std::vector<OutputComparison> compare(const DeviceWork& work) {
    Json request = {{"do", "compare"}, {"outputs", Json::array()}};
    for (const OutputTolerance& one : work.tolerances) {
      request["outputs"].push_back({{"dtype", static_cast<int>(one.dtype)}, {"atol", one.atol}, {"rtol", one.rtol}});
    }
    const DeviceProcess::Reply reply = ready_referee().ask(request, options.draw_ms);
    if (!completed(reply.outcome)) throw base::InfrastructureError("device", "comparing: " + reply.outcome.message);
    return comparisons_of(reply.body);
  }

  // False: nothing more is to be tried.
  bool judge_draw(const DeviceWork& work, const DeviceDraw& draw, bool tune, DeviceReport& report) {
    DeviceProcess& knows = ready_referee();
    report.reference = knows.load("reference", *work.reference, options.draw_ms);
    if (!completed(report.reference)) return false;
    const DeviceProcess::Reply drawn =
        knows.ask(Json{{"do", "draw"}, {"seed", draw.seed}, {"variation", draw.variation}}, options.draw_ms);
    report.reference = drawn.outcome;
    if (!completed(report.reference)) return false;
    if (drawn.body.contains("not_applicable")) {
      DeviceDrawResult& out = report.draws.emplace_back();
      out.variation = draw.variation;
      out.not_applicable = drawn.body["not_applicable"].get<std::string>();
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
    std::vector<double>& known = reference_times[base::sha256(process.reference())];
    const double known_us =
        known.empty() ? 0 : std::accumulate(known.begin(), known.end(), 0.0) / static_cast<double>(known.size());
    const DeviceProcess::Reply reply = process.ask(Json{{"do", "time"},
                                                        {"warmup", work.warmup},
                                                        {"trials", work.trials},
                                                        {"budget_ms", work.budget_ms},
                                                        {"secret", work.secret},
                                                        {"reference_us", known_us}},
                                                   options.timing_ms);
    report.timing = reply.outcome;
    if (!completed(report.timing)) return;
    MeasuredTimes& times = report.times.emplace();
    reply.body.at("reference_us").get_to(times.reference_us);
    reply.body.at("candidate_us").get_to(times.candidate_us);
    reply.body.at("reference_host_us").get_to(times.reference_host_us);
    reply.body.at("candidate_host_us").get_to(times.candidate_host_us);
    reply.body.at("hidden").get_to(times.hidden);
    reply.body.at("differing").get_to(times.differing);
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

const DeviceFacts& Device::facts() const {
  return impl_->facts;
}

}  // namespace tritonrl::runner
