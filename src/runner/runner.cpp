#include "runner/runner.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <mutex>

#include "base/check.h"
#include "base/error.h"
#include "runner/message.h"
#include "runner/outcome_wire.h"
#include "runner/request_wire.h"
#include "runner/structure_tensors.h"
#include "sandbox/job.h"
#include "sandbox/zygote.h"

namespace tritonrl::runner {
namespace {

// All libraries are loaded in the warm process. Those that count processors or look for time zones do it late.
constexpr const char* kReadable[] = {"/etc/localtime", "/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu",
                                     "/sys/devices/system/node"};

sandbox::ZygoteOptions zygote_options(const RunnerOptions& options) {
  sandbox::ZygoteOptions out;
  out.command = {options.executable, "--serve"};
  out.max_message_bytes = kMaxFrame + 4096;
  // One thread: a process that started more could not be forked safely. A run may ask for more.
  out.environment = {"PATH=/usr/bin:/bin",    "LANG=C.UTF-8",       "HOME=/nonexistent",
                     "OMP_NUM_THREADS=1",     "MKL_NUM_THREADS=1",  "OPENBLAS_NUM_THREADS=1",
                     "CUDA_VISIBLE_DEVICES=", "MALLOC_ARENA_MAX=4", "TORCH_SHOW_CPP_STACKTRACES=0"};
  if (const char* libraries = std::getenv("LD_LIBRARY_PATH")) {
    out.environment.push_back(std::string("LD_LIBRARY_PATH=") + libraries);
  }
  return out;
}

// Sampled memory is mapped whole and touched in part, and so is what the machine notes about it.
std::int64_t sampled_address_space(const program::Program& program) {
  constexpr std::int64_t kMost = std::int64_t{1} << 46;
  std::int64_t sum = 0;
  for (const program::Storage& storage : program.storages) sum = std::min(kMost, sum + 2 * storage.bytes + (1 << 20));
  return sum;
}

sandbox::Policy policy_of(const RunnerOptions& options, const RunRequest& request) {
  sandbox::Policy policy = options.policy;
  if (request.wall_ms > 0) policy.wall_ms = request.wall_ms;
  if (request.memory_bytes > 0) policy.memory_bytes = request.memory_bytes;
  const std::int64_t threads = std::max({1, request.threads, request.machine.threads});
  policy.threads = std::max(policy.threads, 2 * threads + 8);
  policy.cpu_seconds = std::max(policy.cpu_seconds, (policy.wall_ms / 1000 + 1) * threads);
  policy.processes = false;
  if (request.sample > 0) policy.address_bytes = policy.memory_bytes + sampled_address_space(*request.program);
  return policy;
}

// The most that an honest answer brings along.
std::int64_t most_result_bytes(const RunRequest& request) {
  const program::Program& program = *request.program;
  std::int64_t sum = 0;
  const auto add = [&](const program::Structure& structure) {
    for (const program::TensorRef ref : tensors_of(structure)) {
      const program::Tensor& tensor = program.tensors[static_cast<std::size_t>(ref.index)];
      sum += tensor.numel() * program::size_of(tensor.dtype);
    }
  };
  for (const int forward : request.forwards) {
    if (request.want_inputs) add(program.forwards[static_cast<std::size_t>(forward)].inputs);
    if (request.want_outputs) add(program.forwards[static_cast<std::size_t>(forward)].outputs);
  }
  if (!request.alone) return sum;
  for (const program::Storage& storage : program.storages) sum += 3 * storage.bytes;
  return sum;
}

// How a process ended that sent no answer.
void describe(RunOutcome& outcome, const sandbox::Exit& exit, bool malformed, const sandbox::Policy& policy) {
  using Kind = sandbox::Exit::Kind;
  if (exit.kind == Kind::kInfrastructure) throw base::InfrastructureError("runner", exit.message);
  if (exit.kind == Kind::kTimedOut) {
    outcome.kind = RunOutcome::Kind::kTimeout;
    outcome.message = "no answer within " + std::to_string(policy.wall_ms) + " ms";
    return;
  }
  if (malformed) {
    outcome.kind = RunOutcome::Kind::kMalformed;
    outcome.message = "what it sent is no message";
    return;
  }
  const bool memory = exit.kind == Kind::kSignaled && exit.message.find("bytes of memory") != std::string::npos;
  outcome.kind = memory ? RunOutcome::Kind::kOutOfMemory : RunOutcome::Kind::kCrashed;
  outcome.message = exit.kind == Kind::kSignaled
                        ? "ended by signal " + std::to_string(exit.code)
                        : "exited with code " + std::to_string(exit.code) + " without an answer";
  if (!exit.message.empty()) outcome.message += ": " + exit.message;
}

}  // namespace

struct Runner::Impl {
  explicit Impl(RunnerOptions given) : options(std::move(given)) {
    for (const char* path : kReadable) {
      if (std::filesystem::exists(path)) options.policy.readable.emplace_back(path);
    }
    zygote = std::make_unique<sandbox::Zygote>(zygote_options(options));
  }

  // A job of the warm process; one that died is replaced once.
  sandbox::Job start(const sandbox::Policy& policy) {
    const std::lock_guard<std::mutex> lock(mutex);
    for (int attempt = 0;; ++attempt) {
      if (!zygote) zygote = std::make_unique<sandbox::Zygote>(zygote_options(options));
      try {
        return zygote->start(policy);
      } catch (const base::InfrastructureError&) {
        zygote.reset();
        if (attempt == 1) throw;
      }
    }
  }

  RunnerOptions options;
  std::mutex mutex;
  std::unique_ptr<sandbox::Zygote> zygote;
};

Runner::Runner(RunnerOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Runner::~Runner() = default;

const RunnerOptions& Runner::options() const {
  return impl_->options;
}

pid_t Runner::pid() const {
  const std::lock_guard<std::mutex> lock(impl_->mutex);
  return impl_->zygote ? impl_->zygote->pid() : -1;
}

RunOutcome Runner::run(const RunRequest& request) {
  TRL_CHECK(request.program != nullptr, "a request has a program");
  const auto begin = std::chrono::steady_clock::now();
  const auto fault = find_fault(request);
  TRL_CHECK(!fault, *fault);
  const sandbox::Policy policy = policy_of(impl_->options, request);
  std::string text;
  MessageView message = to_message(request, &text);
  message.header["wall_ms"] = policy.wall_ms;
  message.header["memory_bytes"] = policy.memory_bytes;
  sandbox::Job job = impl_->start(policy);
  RunOutcome outcome;
  bool malformed = false, answered = false;
  if (send_message(std::move(message), [&](std::string_view frame) { return job.send(frame); })) {
    auto reply = receive_message([&] { return job.receive(); },
                                 std::min(most_result_bytes(request), impl_->options.max_result_bytes), &malformed);
    if (reply) {
      answered = true;
      base::Result<RunOutcome> read = outcome_from_message(std::move(*reply), request);
      if (read.ok()) {
        outcome = std::move(read).value();
      } else {
        outcome.kind = RunOutcome::Kind::kMalformed;
        outcome.message = "the answer is malformed: " + read.error();
      }
    }
  }
  const sandbox::Exit exit = job.finish();
  if (!answered) describe(outcome, exit, malformed || job.malformed(), policy);
  outcome.log = job.log();
  outcome.peak_bytes = exit.peak_bytes;
  outcome.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  return outcome;
}

RunRequest question_request(const program::Program& so_far, const program::Question& question, std::uint64_t seed) {
  RunRequest request;
  request.program = &so_far;
  request.partial = true;
  request.seed = seed;
  request.garbage_seed = seed;
  request.forwards.clear();
  for (std::size_t i = 0; i < so_far.forwards.size(); ++i) request.forwards.push_back(static_cast<int>(i));
  request.keep_state = true;
  request.question = question;
  request.check_answers = false;
  request.want_outputs = false;
  return request;
}

}  // namespace tritonrl::runner
