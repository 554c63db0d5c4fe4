#include "python/kernel_compiler.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>

#include "base/check.h"
#include "base/embedded_file.h"
#include "base/fields.h"
#include "base/sha256.h"
#include "program/program_json.h"
#include "python/compile_answer.h"
#include "python/compile_cache.h"
#include "python/compile_diagnostics.h"
#include "python/embedded_modules.h"
#include "python/kernel_arguments.h"
#include "python/service.h"
#include "sandbox/job.h"

namespace tritonrl::python {
namespace {

using base::Json;
using Kind = CompileOutcome::Kind;

constexpr const char* kCompiler = "kernel compiler";
constexpr std::size_t kMaxMessage = std::size_t{96} << 20;
constexpr std::int64_t kEachMs = 3'000;  // of a compilation beyond the first in a process: most take a tenth
constexpr int kMostSlow = 2;             // of one call: what takes too long once may be a busy machine's doing
constexpr double kComputed = 0.2;        // of its limit, in processor time: no busy machine's doing
constexpr std::chrono::milliseconds kPastLimit{500};
constexpr int kMaxThreads = 1024;
constexpr int kWarpThreads = 32;

// Names what the child does with a request: a cache must not answer for an older compiler of ours.
std::string version_of_service() {
  std::string all;
  for (const base::EmbeddedFile& file : embedded_modules()) {
    if (file.name.starts_with("compiler/")) all += std::string(file.name) + "\n" + std::string(file.text);
  }
  return base::sha256(all);
}

ServiceOptions service_options(const KernelCompilerOptions& options) {
  ServiceOptions out;
  out.name = kCompiler;
  out.interpreter = options.interpreter;
  out.policy = options.policy;
  out.library = options.library;
  out.module = "compiler.service";
  out.environment = {"PYTHONHASHSEED=0"};
  out.max_message_bytes = kMaxMessage;
  out.background = options.background;
  return out;
}

int capability_of(const program::Target& target) {
  return target.capability_major * 10 + target.capability_minor;
}

// All that a compilation depends on, and nothing else: it is the cache's key too, hence the order by name.
base::Result<std::string> request_text(const CompileRequest& request, const KernelText& text) {
  base::Result<Json> arguments = arguments_json(*request.variant);
  if (!arguments.ok()) return base::Failure{arguments.error()};
  Json options = Json::object();
  for (const auto& [name, value] : request.variant->options) options[name] = Json::parse(program::to_json(value));
  const Json json = {{"source", text.text},
                     {"kernel", request.kernel->name},
                     {"arguments", std::move(arguments).value()},
                     {"options", std::move(options)},
                     {"capability", capability_of(*request.target)},
                     {"machine_code", request.machine_code}};
  return json.sorted().dump();
}

std::string too_many_threads(std::int64_t warps) {
  return "num_warps=" + std::to_string(warps) + " asks for " + std::to_string(warps * kWarpThreads) +
         " threads a program, and at most " + std::to_string(kMaxThreads) + " are allowed";
}

// What the driver would say when the kernel is loaded, which Triton leaves to it.
std::optional<std::string> beyond_target(const CompiledKernel& kernel, const program::Target& target) {
  if (kernel.num_warps > kMaxThreads / kWarpThreads) return too_many_threads(kernel.num_warps);
  if (kernel.shared_bytes > target.shared_memory_per_block) {
    return "out of shared memory: the kernel asks for " + std::to_string(kernel.shared_bytes) + " bytes, and " +
           target.name + " allows " + std::to_string(target.shared_memory_per_block) +
           "; smaller blocks or fewer num_stages need less";
  }
  return std::nullopt;
}

void fail(CompileOutcome& outcome, Kind kind, std::string message) {
  outcome.kind = kind;
  outcome.message = std::move(message);
}

Kind kind_of(SilentEnd::Kind kind) {
  switch (kind) {
    case SilentEnd::Kind::kTimeout:
      return Kind::kTimeout;
    case SilentEnd::Kind::kCrashed:
      return Kind::kCrashed;
    case SilentEnd::Kind::kMalformed:
      break;
  }
  return Kind::kMalformed;
}

}  // namespace

std::span<const char* const> enum_names(Kind) {
  static constexpr const char* kNames[] = {"compiled", "refused", "error", "timeout", "crashed", "malformed"};
  return kNames;
}

std::string to_string(Kind kind) {
  return base::enum_name(kind);
}

struct KernelCompiler::Impl {
  explicit Impl(const KernelCompilerOptions& options)
      : triton(options.interpreter.triton_version),
        python(options.interpreter.version),
        service(service_options(options)) {
    if (!options.cache.empty()) cache.emplace(options.cache);
  }

  std::string key_of(const std::string& request) const {
    return base::sha256(version + "\n" + triton + "\n" + python + "\n" + request);
  }

  // A request on its way: what it asks, and what is known of it.
  struct Asked {
    const CompileRequest* request = nullptr;
    CompileOutcome* outcome = nullptr;
    KernelText text;
    std::string asked, key;
    std::vector<program::KernelParameter> signature;
    std::optional<std::string> answer;
    std::int64_t memory_bytes = 0;  // of the process that was asked
  };
  // None where the request cannot be asked; the outcome then says why.
  std::optional<Asked> prepare(const CompileRequest& request, CompileOutcome& outcome);
  std::optional<std::string> find(const std::string& key, CompileOutcome& outcome) const;
  // Of one process: how many have an answer, or an outcome that says why there is none.
  struct Answers {
    std::size_t done = 0;
    bool too_slow = false;  // the last one computed long and gave nothing; a busy machine is no excuse for that
  };
  Answers ask(std::span<Asked*> all, const base::Budget& budget);
  void finish(Asked& one);

  const std::string version = version_of_service();
  std::string triton, python;
  Service service;
  std::optional<CompileCache> cache;
};

// The answer of an earlier compilation, and what it printed: the length of that, a line end, that, the answer.
std::optional<std::string> KernelCompiler::Impl::find(const std::string& key, CompileOutcome& outcome) const {
  const std::optional<std::string> entry = cache->find(key);
  if (!entry) return std::nullopt;
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(entry->data(), entry->data() + entry->size(), length);
  const std::size_t begin = static_cast<std::size_t>(end - entry->data()) + 1;
  if (error != std::errc() || begin > entry->size() || entry->size() - begin < length) return std::nullopt;
  outcome.cached = true;
  outcome.log = entry->substr(begin, length);
  return entry->substr(begin + length);
}

KernelCompiler::Impl::Answers KernelCompiler::Impl::ask(std::span<Asked*> all, const base::Budget& budget) {
  sandbox::Policy policy = service.policy();
  policy.processes = std::any_of(all.begin(), all.end(), [](const Asked* one) { return one->request->machine_code; });
  const auto count = static_cast<std::int64_t>(all.size());
  const std::int64_t limit_ms = policy.wall_ms, longest_ms = budget.patient(limit_ms);
  policy.wall_ms = budget.at_most(longest_ms + budget.patient(kEachMs) * (count - 1));
  policy.cpu_seconds += kEachMs * (count - 1) / 1000;
  policy.memory_bytes = budget.memory_at_most(policy.memory_bytes);
  sandbox::Job job = service.start(policy);
  std::size_t done = 0;
  bool answered = true;
  for (; answered && done < all.size(); ++done) {
    Asked& one = *all[done];
    one.memory_bytes = policy.memory_bytes;
    const auto begin = std::chrono::steady_clock::now();
    if (job.send(one.asked)) one.answer = job.receive(begin + std::chrono::milliseconds(longest_ms) + kPastLimit);
    answered = one.answer.has_value();
    one.outcome->milliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  }
  const sandbox::Exit exit = job.finish();
  if (!answered && sandbox::starved(exit, limit_ms)) budget.note_starved();
  if (all.size() == 1) all.front()->outcome->log = job.log();
  if (answered) return {done};
  CompileOutcome& outcome = *all[done - 1]->outcome;
  outcome.log = job.log();
  const SilentEnd end =
      exit.kind == sandbox::Exit::Kind::kCancelled && outcome.milliseconds >= static_cast<double>(longest_ms)
          ? no_answer_within(longest_ms)
          : silent_end(kCompiler, policy, job, exit);
  fail(outcome, kind_of(end.kind), end.message);
  // others in its process may have computed before it
  const double computed = std::min(static_cast<double>(exit.cpu_ms), outcome.milliseconds);
  const bool too_slow = computed > kComputed * static_cast<double>(longest_ms);
  if (outcome.kind != Kind::kCrashed) return {done, too_slow};
  if (ran_out_of_memory(outcome.log)) {
    outcome.message = out_of_memory(policy.memory_bytes);
  } else if (const std::optional<std::string> reason = last_words(outcome.log)) {
    fail(outcome, Kind::kError, *reason);  // LLVM ends the process instead of raising
    outcome.exception = "LLVM";
  }
  return {done, too_slow};
}

std::optional<KernelCompiler::Impl::Asked> KernelCompiler::Impl::prepare(const CompileRequest& request,
                                                                         CompileOutcome& outcome) {
  const auto refuse = [&](const std::string& why) {
    fail(outcome, Kind::kRefused, why);
    return std::nullopt;
  };
  base::Result<KernelText> text = compose(*request.kernel);
  if (!text.ok()) return refuse(text.error());
  base::Result<std::string> asked = request_text(request, text.value());
  if (!asked.ok()) return refuse(asked.error());
  const DescriptorForm form{.whole = request.target->capability_major >= 9, .rounding = version_at_least(triton, 3, 7)};
  base::Result<std::vector<program::KernelParameter>> signature = parameters_of(*request.variant, form);
  if (!signature.ok()) return refuse(signature.error());
  Asked out;
  out.request = &request;
  out.outcome = &outcome;
  out.text = std::move(text).value();
  out.asked = std::move(asked).value();
  out.signature = std::move(signature).value();
  if (cache) {
    out.key = key_of(out.asked);
    out.answer = find(out.key, outcome);
  }
  return out;
}

void KernelCompiler::Impl::finish(Asked& one) {
  if (!one.answer) return;
  CompileOutcome& outcome = *one.outcome;
  CompiledKernel& kernel = outcome.kernel;
  kernel.source = std::move(one.text);
  read_answer(*one.answer, one.request->machine_code, one.memory_bytes, outcome);
  const bool keeps = cache && !outcome.cached;
  if (keeps && (outcome.kind == Kind::kCompiled || outcome.kind == Kind::kError)) {
    cache->store(one.key, std::to_string(outcome.log.size()) + "\n" + outcome.log + *one.answer);
  }
  if (outcome.kind != Kind::kCompiled) return;
  if (const std::optional<std::string> reason = beyond_target(kernel, *one.request->target)) {
    fail(outcome, Kind::kError, *reason);
    outcome.exception = "OutOfResources";
    return;
  }
  kernel.signature = std::move(one.signature);
  const auto whole = std::ranges::count(kernel.signature, program::KernelParameter::Part::kDescriptor,
                                        &program::KernelParameter::part);
  if (one.request->machine_code && kernel.descriptors.size() != static_cast<std::size_t>(whole)) {
    fail(outcome, Kind::kMalformed, "the answer does not say how each descriptor is laid out");
  }
}

KernelCompiler::KernelCompiler(KernelCompilerOptions options) : impl_(std::make_unique<Impl>(options)) {}
KernelCompiler::~KernelCompiler() = default;

CompileOutcome KernelCompiler::compile(const CompileRequest& request, const base::Budget& budget) {
  return std::move(compile_all({&request, 1}, budget).front());
}

std::vector<CompileOutcome> KernelCompiler::compile_all(std::span<const CompileRequest> requests,
                                                        const base::Budget& budget) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<CompileOutcome> outcomes(requests.size());
  std::vector<Impl::Asked> all;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const CompileRequest& request = requests[i];
    TRL_CHECK(request.kernel != nullptr && request.variant != nullptr && request.target != nullptr,
              "a compile request names a kernel, a launch and a target");
    if (auto asked = impl_->prepare(request, outcomes[i])) all.push_back(std::move(*asked));
  }
  std::vector<Impl::Asked*> open;
  for (Impl::Asked& one : all) {
    if (!one.answer) open.push_back(&one);
  }
  // Side by side what goes into one process: without a cache all of it, else what shares a text.
  const auto text_of = [](const Impl::Asked* one) -> const std::string& { return one->text.text; };
  if (impl_->cache) std::ranges::stable_sort(open, {}, text_of);
  int slow = 0;
  for (std::span<Impl::Asked*> rest = open; !rest.empty();) {
    std::size_t count = rest.size();
    if (impl_->cache) {
      const auto other = [&](const Impl::Asked* one) { return text_of(one) != text_of(rest.front()); };
      count = static_cast<std::size_t>(std::ranges::find_if(rest, other) - rest.begin());
    }
    if (budget.over() || slow >= kMostSlow) {
      fail(*rest.front()->outcome, Kind::kTimeout,
           budget.over() ? "not compiled: the candidate's time is over" : "not compiled: earlier ones took too long");
      rest = rest.subspan(1);
      continue;
    }
    const auto [done, too_slow] = impl_->ask(rest.first(count), budget);
    const bool late = rest[done - 1]->outcome->kind == Kind::kTimeout;
    slow += too_slow ? kMostSlow : late ? 1 : 0;
    rest = rest.subspan(done);
  }
  for (Impl::Asked& one : all) impl_->finish(one);
  if (requests.size() == 1) {
    outcomes.front().milliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  }
  return outcomes;
}

}  // namespace tritonrl::python
