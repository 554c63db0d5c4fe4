#include "python/live.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <span>

#include "base/fields.h"
#include "python/output_memory.h"
#include "python/process_answer.h"
#include "python/record_request_json.h"
#include "python/service.h"
#include "sandbox/gpu_access.h"
#include "sandbox/job.h"

namespace tritonrl::python {
namespace {

using base::Json;
using Clock = std::chrono::steady_clock;
using LiveKind = LiveOutcome::Kind;

constexpr const char* kLive = "live";
constexpr std::int64_t kAlignment = 256;
constexpr std::size_t kMostOfMessage = 4000;
constexpr std::int64_t kCores = 4;    // whose time a process may use at once, compilers among them
constexpr double kMostHidden = 3;     // times what it tells: more is worth a word
constexpr double kFlushUs = 2000;     // for flushing the cache before a trial
constexpr double kStartUs = 300'000;  // for the first flush and whatever else comes once

ServiceOptions service_options(const LiveOptions& options) {
  ServiceOptions out;
  out.name = kLive;
  out.interpreter = options.interpreter;
  out.policy = options.policy;
  out.library = options.library;
  out.module = "live.session";
  if (options.device == "cpu") {
    out.environment = {"TRITON_INTERPRET=1"};  // also for Triton's own functions, which it imports
  } else {
    out.copied = false;  // what holds a GPU is nobody else's
    out.environment = sandbox::gpu_environment(options.index);
    out.environment.push_back("CUDA_CACHE_DISABLE=1");
  }
  return out;
}

// One output against the reference's, as live/compare.py tells it.
struct ComparedOutput {
  std::int64_t wrong = 0, first = 0;
  double max_error = 0;
  std::string expected, got;
  void fields(base::FieldVisitor& field) {
    field("wrong", wrong);
    field("first", first, base::kMayLack);
    field("max_error", max_error);
    field("expected", expected, base::kMayLack);
    field("got", got, base::kMayLack);
  }
};

// What live/session.py answers.
struct LiveAnswer : ProcessAnswer {
  double us = 0;                        // "timed": a call
  std::vector<double> trials;           // "timed" by torch.compile
  std::vector<ComparedOutput> outputs;  // "compared"
  void fields(base::FieldVisitor& field) {
    ProcessAnswer::fields(field);
    field("us", us, base::kMayLack);
    field("trials", trials, base::kMayLack);
    field("outputs", outputs, base::kMayLack);
  }
};

// What a process said, or how it ended without a word.
struct Reply {
  LiveAnswer body;
  std::string silence;  // not empty: there is no body
  double microseconds = 0;

  bool is(const char* kind) const { return silence.empty() && body.kind == kind; }
};

// A process says as much as it likes.
std::string in_short(std::string text) {
  if (text.size() > kMostOfMessage) text.resize(kMostOfMessage);
  return text;
}

// Why a reply is not the one that was hoped for; files by the names that the user knows.
std::string complaint(const Reply& reply, const std::string& task_name, const std::string& candidate_name) {
  if (!reply.silence.empty()) return reply.silence;
  if (reply.is("other")) return in_short(reply.body.message);
  if (!reply.is("raised")) return "what it answered is not valid";
  std::string file = reply.body.file;
  if (file == kTaskFile) file = task_name;
  if (file == kCandidateFile && !candidate_name.empty()) file = candidate_name;
  std::string out = "raised " + reply.body.exception + " in phase " + reply.body.phase + ": " + reply.body.message;
  if (!file.empty()) out += " (" + file + ":" + std::to_string(std::clamp(reply.body.line, 0, 1'000'000'000)) + ")";
  return in_short(std::move(out));
}

// What the candidate's process tells of its times against what was seen of it from outside.
std::string odd_times(double told_us, double seen_us, const LiveOptions& options) {
  const double calls = options.warmup + options.trials + 1;
  char text[200];
  if (told_us <= 0 || told_us * options.trials > seen_us) {
    std::snprintf(text, sizeof text, "its process tells %.1f us a call, and all %d calls took %.0f us", told_us,
                  static_cast<int>(calls), seen_us);
    return text;
  }
  if (seen_us > kMostHidden * told_us * calls + kFlushUs * calls + kStartUs) {
    std::snprintf(text, sizeof text,
                  "its calls took far longer than it tells: %.1f us each, but %.0f us for %d calls and what is between",
                  told_us, seen_us, static_cast<int>(calls));
    return text;
  }
  return "";
}

}  // namespace

struct Live::Impl {
  explicit Impl(LiveOptions given) : options(std::move(given)), service(service_options(options)) {
    policy = service.policy();
    if (options.device == "cpu") {
      policy.devices = {"/dev/null"};  // lets descriptors in
      policy.threads = std::max<std::int64_t>(policy.threads, 256);
    } else {
      policy = sandbox::gpu_policy(policy, service.pid());
    }
    policy.processes = true;  // Triton builds its launcher with the machine's C compiler
    policy.scratch_bytes = std::int64_t{1} << 30;
    policy.scratch_files = 1 << 16;
  }

  sandbox::Policy limited(std::int64_t wall_ms) const {
    sandbox::Policy out = policy;
    out.wall_ms = wall_ms;
    out.cpu_seconds = wall_ms * kCores / 1000 + 1;
    return out;
  }

  Json task_json(const LiveTask& of, const char* what) const {
    return {{"do", what},
            {"device", options.device},
            {"seed", of.seed},
            {"precision", of.precision},
            {"entry_point", of.task.entry_point},
            {"task", {{"file", kTaskFile}, {"source", of.task.source}}},
            {"warmup", options.warmup},
            {"trials", options.trials}};
  }

  // A process that gives no answer is ended.
  static Reply ask(sandbox::Job& job, const sandbox::Policy& limits, const Json& request,
                   std::span<const int> descriptors = {}) {
    Reply out;
    const auto begin = Clock::now();
    std::optional<std::string> message;
    if (job.send(request.dump(), descriptors)) message = job.receive();
    out.microseconds = std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
    if (message) {
      base::Result<LiveAnswer> body = base::from_json<LiveAnswer>(*message, "what it answered");
      if (body.ok()) {
        out.body = std::move(body).value();
      } else {
        out.silence = "what it answered is not valid";
      }
      return out;
    }
    const sandbox::Exit exit = job.finish();
    out.silence = silent_end(kLive, limits, job, exit).message;
    return out;
  }

  // Fills `memory` and the outcome's wall time; what went wrong, or nothing.
  std::string run_candidate(const LiveRequest& request, const Json& places, const OutputMemory& memory,
                            LiveOutcome& outcome) {
    const sandbox::Policy limits = limited(options.run_ms);
    sandbox::Job job = service.start(limits);
    Json text = task_json(request.of, "candidate");
    text["candidate"] = {{"file", kCandidateFile}, {"source", request.candidate}};
    text["outputs"] = places;
    const int descriptor = memory.descriptor();
    const auto wrong = [&](const Reply& reply) { return complaint(reply, request.of.task.id, request.candidate_name); };
    const Reply ran = ask(job, limits, text, {&descriptor, 1});
    if (!ran.is("ran")) return wrong(ran);
    const Reply timed = ask(job, limits, {{"do", "time"}, {"warmup", options.warmup}, {"trials", options.trials}});
    if (!timed.is("timed")) return wrong(timed);
    outcome.wall_us = timed.body.us;
    outcome.message = odd_times(outcome.wall_us, timed.microseconds, options);
    job.finish();  // nothing of it is left when the outputs are looked at
    return "";
  }

  // True: the outcome is that it differs.
  static bool keep_comparison(const std::vector<ComparedOutput>& outputs, LiveOutcome& outcome) {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const ComparedOutput& one = outputs[i];
      outcome.max_error = std::max(outcome.max_error, one.max_error);
      if (one.wrong == 0 || outcome.kind == LiveKind::kDiffers) continue;
      outcome.kind = LiveKind::kDiffers;
      outcome.expected = one.expected;
      outcome.got = one.got;
      outcome.message = "output " + std::to_string(i) + ", element " + std::to_string(one.first) + ": expected " +
                        one.expected + ", got " + one.got + "; " + std::to_string(one.wrong) + " elements differ";
    }
    return outcome.kind == LiveKind::kDiffers;
  }

  LiveOutcome run(const LiveRequest& request) {
    LiveOutcome out;
    Json places = Json::array();
    std::int64_t bytes = 0;
    for (const LiveOutput& one : request.outputs) {
      std::int64_t size = program::size_of(one.dtype);
      for (const std::int64_t extent : one.sizes) size *= extent;
      places.push_back({{"dtype", to_string(one.dtype)},
                        {"sizes", one.sizes},
                        {"atol", one.atol},
                        {"rtol", one.rtol},
                        {"offset", bytes}});
      bytes += (size + kAlignment - 1) / kAlignment * kAlignment;
    }
    OutputMemory memory(bytes);
    std::string failure = run_candidate(request, places, memory, out);
    if (failure.empty() && !memory.seal()) failure = "it keeps others from its outputs";

    const sandbox::Policy limits = limited(options.run_ms);
    sandbox::Job job = service.start(limits);
    Json text = task_json(request.of, "reference");
    text["outputs"] = places;
    const int descriptor = memory.descriptor();
    const Reply reply =
        ask(job, limits, text, failure.empty() ? std::span<const int>(&descriptor, 1) : std::span<const int>());
    if (!reply.is("ran") && !reply.is("compared")) {
      out.message = "the reference does not run live: " + complaint(reply, request.of.task.id, "");
      return out;
    }
    if (!failure.empty()) {
      out.kind = LiveKind::kDiffers;
      out.message = std::move(failure);
      return out;
    }
    if (keep_comparison(reply.body.outputs, out)) return out;
    out.kind = LiveKind::kAgrees;
    const Reply timed = ask(job, limits, {{"do", "time"}, {"warmup", options.warmup}, {"trials", options.trials}});
    if (timed.is("timed")) out.reference_wall_us = timed.body.us;
    return out;
  }

  CompiledTimes time_compiled(const LiveTask& of, const DeviceTurns& turns) {
    const sandbox::Policy limits = limited(options.compile_ms);
    sandbox::Job job = service.start(limits);
    Reply reply = ask(job, limits, task_json(of, "load"));
    if (reply.is("loaded")) turns.beside([&] { reply = ask(job, limits, {{"do", "make"}}); });
    if (reply.is("made"))
      reply = ask(job, limits, {{"do", "compiled"}, {"warmup", options.warmup}, {"trials", options.trials}});
    if (reply.is("alone")) turns.alone([&] { reply = ask(job, limits, {{"do", "go on"}}); });
    CompiledTimes out;
    if (reply.is("timed") && !reply.body.trials.empty()) {
      out.us = std::move(reply.body.trials);
    } else {
      out.failure = complaint(reply, of.task.id, "");
    }
    return out;
  }

  const LiveOptions options;
  Service service;
  sandbox::Policy policy;
};

Live::Live(LiveOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Live::~Live() = default;

LiveOutcome Live::run(const LiveRequest& request) {
  return impl_->run(request);
}

CompiledTimes Live::time_compiled(const LiveTask& task, const DeviceTurns& turns) {
  return impl_->time_compiled(task, turns);
}

}  // namespace tritonrl::python
