#include "runner/runner.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>
#include <mutex>
#include <optional>

#include "base/budget.h"
#include "base/check.h"
#include "base/error.h"
#include "base/loader_path.h"
#include "runner/message.h"
#include "runner/oracle_type.h"
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
  out.made_of = {options.executable};
  out.background = options.background;
  out.max_message_bytes = kMaxFrame + 4096;
  // One thread: a process that started more could not be forked safely. A run may ask for more.
  out.environment = {"PATH=/usr/bin:/bin", "LANG=C.UTF-8", "HOME=/nonexistent", "OMP_NUM_THREADS=1",
                     "MKL_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", "CUDA_VISIBLE_DEVICES=", "MALLOC_ARENA_MAX=4",
                     "TORCH_SHOW_CPP_STACKTRACES=0",
                     // a run fills what it allocates: in pages of 4 KB the kernel's part of that is the larger one
                     "GLIBC_TUNABLES=glibc.malloc.hugetlb=1"};
  for (std::string& one : base::loader_environment(options.libraries)) out.environment.push_back(std::move(one));
  return out;
}

// Sampled memory is mapped whole and touched in part, and so is what the machine notes about it.
std::int64_t sampled_address_space(const program::Program& program) {
  constexpr std::int64_t kMost = std::int64_t{1} << 46;
  std::int64_t sum = 0;
  for (const program::Storage& storage : program.storages) sum = std::min(kMost, sum + 2 * storage.bytes + (1 << 20));
  return sum;
}

std::int64_t wall_of(const RunnerOptions& options, const RunRequest& request, const base::Budget& budget) {
  return budget.patient(request.wall_ms > 0 ? request.wall_ms : options.policy.wall_ms);
}

std::int64_t memory_of(const RunnerOptions& options, const RunRequest& request, const base::Budget& budget) {
  return budget.memory_at_most(request.memory_bytes > 0 ? request.memory_bytes : options.policy.memory_bytes);
}

// Of a process that may have to execute all of these. Inside it keeps each to its own time.
sandbox::Policy policy_of(const RunnerOptions& options, std::span<const RunRequest> requests,
                          const base::Budget& budget) {
  sandbox::Policy policy = options.policy;
  policy.wall_ms = policy.memory_bytes = 0;
  std::int64_t threads = 1, sampled = 0;
  for (const RunRequest& request : requests) {
    policy.wall_ms += wall_of(options, request, budget);
    policy.memory_bytes = std::max(policy.memory_bytes, memory_of(options, request, budget));
    threads = std::max<std::int64_t>({threads, request.threads, request.machine.threads});
    if (request.sample > 0) sampled = std::max(sampled, sampled_address_space(*request.program));
  }
  policy.wall_ms = budget.at_most(policy.wall_ms);
  policy.threads = std::max(policy.threads, 2 * threads + 8);
  policy.cpu_seconds = std::max(policy.cpu_seconds, (policy.wall_ms / 1000 + 1) * threads);
  policy.processes = false;
  if (sampled > 0) policy.address_bytes = policy.memory_bytes + sampled;
  return policy;
}

// The most that an honest answer brings along.
std::int64_t most_result_bytes(const RunRequest& request) {
  const program::Program& program = *request.program;
  std::int64_t sum = 0;
  const auto add_tensor = [&](program::TensorRef ref, bool widened) {
    const program::Tensor& tensor = program.tensors[static_cast<std::size_t>(ref.index)];
    sum += tensor.numel() * program::size_of(widened ? oracle_type(tensor.dtype) : tensor.dtype);
  };
  const auto add = [&](const program::Structure& structure, bool widened) {
    for (const program::TensorRef ref : tensors_of(structure)) add_tensor(ref, widened);
  };
  for (const int forward : request.forwards) {
    if (request.want_inputs) add(program.forwards[static_cast<std::size_t>(forward)].inputs, false);
    if (request.want_outputs) add(program.forwards[static_cast<std::size_t>(forward)].outputs, request.oracle);
  }
  if (request.want_state) {
    for (const program::NamedTensor& one : program.state) add_tensor(one.tensor, false);
  }
  if (request.rows) {
    const program::Forward& last = program.forwards[static_cast<std::size_t>(request.forwards.back())];
    const auto add_rows = [&](const program::Structure& structure, const std::vector<int>& dims) {
      const std::vector<program::TensorRef> tensors = tensors_of(structure);
      for (std::size_t i = 0; i < tensors.size(); ++i) {
        const program::Tensor& tensor = program.tensors[static_cast<std::size_t>(tensors[i].index)];
        const std::int64_t bytes = tensor.numel() * program::size_of(tensor.dtype);
        const bool shared = i >= dims.size() || dims[i] < 0 || request.rows->count <= 0;
        sum += shared ? bytes : bytes / request.rows->count * request.rows->most;
      }
    };
    add_rows(last.inputs, request.rows->inputs);
    for (int i = 0; i < 2; ++i) add_rows(last.outputs, request.rows->outputs);  // values, and which are known
  }
  if (!request.alone) return sum;
  for (const program::Storage& storage : program.storages) sum += 3 * storage.bytes;
  return sum;
}

std::int64_t result_bytes(const RunOutcome& outcome) {
  std::size_t sum = 0;
  const auto add = [&](const std::vector<TensorData>& tensors) {
    for (const TensorData& one : tensors) sum += one.bytes.size();
  };
  for (const ForwardResult& forward : outcome.forwards) {
    add(forward.inputs);
    add(forward.outputs);
  }
  add(outcome.state);
  if (outcome.rows) {
    add(outcome.rows->inputs);
    add(outcome.rows->outputs);
    for (const std::string& one : outcome.rows->written) sum += one.size();
  }
  for (const AloneStorage& one : outcome.alone) sum += one.before.size() + one.after.size() + one.written.size();
  return static_cast<std::int64_t>(sum);
}

bool ran_out_of_time(const sandbox::Exit& exit) {
  return exit.kind == sandbox::Exit::Kind::kExited && exit.code == kTimeIsOver;
}

// A run as the candidate itself would do it.
bool took_too_long(const RunRequest& request, const RunOutcome& outcome) {
  const bool plain = request.silenced.empty() && !request.alone && request.sample == 0;
  return plain && outcome.kind == RunOutcome::Kind::kTimeout;
}

// How a process ended that sent no answer.
void describe(RunOutcome& outcome, const sandbox::Exit& exit, bool malformed, std::int64_t wall_ms) {
  using Kind = sandbox::Exit::Kind;
  if (exit.kind == Kind::kInfrastructure) throw base::InfrastructureError("runner", exit.message);
  if (exit.kind == Kind::kTimedOut || ran_out_of_time(exit)) {
    outcome.kind = RunOutcome::Kind::kTimeout;
    outcome.message = base::no_answer_within(wall_ms);
    return;
  }
  const bool memory = exit.kind == Kind::kSignaled && exit.message.find("bytes of memory") != std::string::npos;
  if (malformed && !memory) {  // what was ended for its memory may have been in the middle of its answer
    outcome.kind = RunOutcome::Kind::kMalformed;
    outcome.message = "what it sent is no message";
    return;
  }
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

  // None: what the request may send back fits beside what the others of its call have sent.
  static std::optional<RunOutcome> too_large(const RunRequest& request, std::span<const RunOutcome> others,
                                             const base::Budget& budget) {
    std::int64_t left = budget.memory_at_most(std::numeric_limits<std::int64_t>::max());
    for (const RunOutcome& one : others) left -= result_bytes(one);
    const std::int64_t most = most_result_bytes(request);
    if (most <= left) return std::nullopt;
    RunOutcome out;
    out.kind = RunOutcome::Kind::kOutOfMemory;
    out.message = "its results take up to " + std::to_string(most) + " bytes, of which " +
                  std::to_string(std::max<std::int64_t>(0, left)) + " are left to it";
    return out;
  }

  // One request of a process that is there. None: it sent no answer.
  std::optional<RunOutcome> run_next(sandbox::Job& job, const RunRequest& request, const RunRequest* previous,
                                     const base::Budget& budget, bool* malformed) {
    std::string text;
    MessageView message = to_message(request, previous, &text);
    message.header["wall_ms"] = budget.at_most(wall_of(options, request, budget));
    message.header["memory_bytes"] = memory_of(options, request, budget);
    if (!send_message(std::move(message), [&](std::string_view frame) { return job.send(frame); })) return std::nullopt;
    auto reply = receive_message([&] { return job.receive(); },
                                 std::min(most_result_bytes(request), options.max_result_bytes), malformed);
    if (!reply) return std::nullopt;
    base::Result<RunOutcome> read = outcome_from_message(std::move(*reply), request);
    if (read.ok()) return std::move(read).value();
    RunOutcome out;
    out.kind = RunOutcome::Kind::kMalformed;
    out.message = "the answer is malformed: " + read.error();
    return out;
  }

  // Adds the outcomes of the requests that have none yet, as far as one process gets: at least one.
  void run_in_one_process(std::span<const RunRequest> requests, std::vector<RunOutcome>& outcomes, bool one_party,
                          const base::Budget& budget) {
    const std::size_t first = outcomes.size();
    auto begin = std::chrono::steady_clock::now();
    sandbox::Job job = start(policy_of(options, requests.subspan(first), budget));
    const RunRequest* previous = nullptr;
    bool malformed = false, alive = true;
    while (alive && outcomes.size() < requests.size()) {
      const RunRequest& request = requests[outcomes.size()];
      if (auto refused = too_large(request, outcomes, budget)) {
        outcomes.push_back(std::move(*refused));
        continue;
      }
      std::optional<RunOutcome> outcome = run_next(job, request, previous, budget, &malformed);
      // a process that says nonsense is not asked again
      alive = outcome && outcome->kind != RunOutcome::Kind::kMalformed;
      if (!outcome) {
        const sandbox::Exit exit = job.finish();
        // its neighbours may have left the process in no state to serve this one
        if (previous != nullptr && !ran_out_of_time(exit) && !budget.over()) break;
        describe(outcome.emplace(), exit, malformed || job.malformed(), wall_of(options, request, budget));
      }
      const auto now = std::chrono::steady_clock::now();
      outcome->milliseconds = std::chrono::duration<double, std::milli>(now - begin).count();
      begin = now;
      outcomes.push_back(std::move(*outcome));
      previous = &request;
      if ((one_party && took_too_long(request, outcomes.back())) || budget.over()) break;
    }
    const sandbox::Exit exit = job.finish();
    const bool late = !outcomes.empty() && outcomes.back().kind == RunOutcome::Kind::kTimeout;
    if (late && sandbox::starved(exit, wall_of(options, requests[outcomes.size() - 1], {}))) budget.note_starved();
    for (std::size_t i = first; i < outcomes.size(); ++i) {
      outcomes[i].log = job.log();
      outcomes[i].peak_bytes = exit.peak_bytes;
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

RunOutcome Runner::run(const RunRequest& request, const base::Budget& budget) {
  return std::move(run_all({&request, 1}, false, budget).front());
}

std::vector<RunOutcome> Runner::run_all(std::span<const RunRequest> requests, bool one_party,
                                        const base::Budget& budget) {
  for (const RunRequest& request : requests) {
    TRL_CHECK(request.program != nullptr, "a request has a program");
    const auto fault = find_fault(request);
    TRL_CHECK(!fault, *fault);
  }
  std::vector<RunOutcome> outcomes;
  while (outcomes.size() < requests.size()) {
    impl_->run_in_one_process(requests, outcomes, one_party, budget);
    if (outcomes.empty()) continue;
    const bool slow = one_party && took_too_long(requests[outcomes.size() - 1], outcomes.back());
    if (!slow && !budget.over()) continue;
    RunOutcome untried;
    untried.kind = RunOutcome::Kind::kTimeout;
    untried.message = slow ? "not tried: an earlier run took too long" : "not tried: the candidate's time is over";
    outcomes.resize(requests.size(), untried);
  }
  return outcomes;
}

RunRequest question_request(const program::Program& so_far, const program::Question& question, std::uint64_t seed) {
  RunRequest request;
  request.program = &so_far;
  request.partial = true;
  request.seed = seed;
  request.garbage_seed = seed;
  request.forwards.clear();
  // inputs that are still being made depend on no call of forward
  const bool making = !so_far.forwards.empty() && so_far.forwards.back().steps.empty() &&
                      tensors_of(so_far.forwards.back().inputs).empty();
  for (std::size_t i = making ? so_far.forwards.size() - 1 : 0; i < so_far.forwards.size(); ++i)
    request.forwards.push_back(static_cast<int>(i));
  request.keep_state = true;
  request.question = question;
  request.check_answers = false;
  request.want_outputs = false;
  return request;
}

}  // namespace tritonrl::runner
