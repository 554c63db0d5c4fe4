#include "python/recorder.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>

#include "base/embedded_file.h"
#include "base/error.h"
#include "program/program_json.h"
#include "python/embedded_modules.h"
#include "sandbox/job.h"
#include "sandbox/zygote.h"

namespace tritonrl::python {
namespace {

using Json = nlohmann::json;

// What any program needs: the loader, system libraries, time zones, the list of CPUs.
constexpr const char* kSystemPaths[] = {
    "/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/localtime", "/proc/cpuinfo", "/sys/devices/system/cpu"};
constexpr const char* kTaskFile = "task.py";
constexpr const char* kCandidateFile = "candidate.py";

Json to_json(const program::Target& target) {
  return {{"name", target.name},
          {"device_name", target.device_name},
          {"capability", {target.capability_major, target.capability_minor}},
          {"memory_bytes", target.memory_bytes},
          {"sm_count", target.sm_count},
          {"threads_per_sm", target.max_threads_per_sm},
          {"registers_per_sm", target.registers_per_sm},
          {"shared_memory_per_block", target.shared_memory_per_block},
          {"l2_bytes", target.l2_bytes},
          {"clock_khz", target.clock_khz}};
}

Json to_json(const StrideOverride& override) {
  std::string section = "initialise";
  if (override.section == StrideOverride::Section::kInputs) section = "inputs " + std::to_string(override.forward);
  if (override.section == StrideOverride::Section::kForward) section = "forward " + std::to_string(override.forward);
  return {{"section", section}, {"step", override.step}, {"strides", override.strides}};
}

std::string request_text(const RecordRequest& request) {
  Json json = {{"target", to_json(*request.target)},
               {"forwards", request.forwards},
               {"entry_point", request.task.entry_point},
               {"task", {{"file", kTaskFile}, {"source", request.task.source}}}};
  for (const StrideOverride& one : request.strides) json["strides"].push_back(to_json(one));
  if (!request.candidate.empty()) json["candidate"] = {{"file", kCandidateFile}, {"source", request.candidate}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string boot_text(const RecorderOptions& options) {
  Json modules = Json::object();
  for (const base::EmbeddedFile& file : embedded_modules()) modules[std::string(file.name)] = file.text;
  Json preload = Json::array();
  if (options.preload_inductor) {
    preload = {"torch._inductor.runtime.triton_helpers", "torch._inductor.runtime.triton_heuristics",
               "torch._inductor.select_algorithm"};
  }
  return Json{{"modules", std::move(modules)},
              {"service", "recorder.session"},
              {"library", options.library},
              {"options", {{"preload", std::move(preload)}}}}
      .dump();
}

sandbox::ZygoteOptions zygote_options(const RecorderOptions& options) {
  sandbox::ZygoteOptions out;
  out.command = {options.interpreter.executable, "-B", "-s", "-c", std::string(boot_module())};
  // One thread and nothing that compiles: a zygote that started a thread could not be forked safely.
  out.environment = {"PATH=/usr/bin:/bin",
                     "LANG=C.UTF-8",
                     "HOME=/nonexistent",
                     "USER=nobody",  // else getpass asks a password file that the sandbox does not show
                     "PYTHONHASHSEED=" + std::to_string(options.hash_seed),
                     "PYTHONNOUSERSITE=1",
                     "OMP_NUM_THREADS=1",
                     "OPENBLAS_NUM_THREADS=1",
                     "MKL_NUM_THREADS=1",
                     "PYTORCH_JIT=0",
                     "TORCHDYNAMO_DISABLE=1",
                     "CUDA_VISIBLE_DEVICES="};
  if (const char* libraries = std::getenv("LD_LIBRARY_PATH")) {
    out.environment.push_back(std::string("LD_LIBRARY_PATH=") + libraries);
  }
  out.boot = boot_text(options);
  return out;
}

// In kFull the scratch is mounted over a folder, which must not hide what the process has to read.
std::string scratch_for(const sandbox::Policy& policy) {
  namespace fs = std::filesystem;
  if (policy.level != sandbox::Level::kFull) return policy.scratch;
  for (const std::string& folder : {policy.scratch, std::string("/mnt"), std::string("/media"), std::string("/srv")}) {
    const bool hides = std::any_of(policy.readable.begin(), policy.readable.end(), [&](const std::string& path) {
      return path == folder || path.starts_with(folder + "/");
    });
    if (!hides && fs::is_directory(folder)) return folder;
  }
  throw base::UserError("recorder",
                        "no folder for the scratch: /tmp, /mnt, /media and /srv all hold parts of the interpreter");
}

RecordOutcome::Kind kind_of(const std::string& name) {
  if (name == "raised") return RecordOutcome::Kind::kRaised;
  if (name == "not_recordable") return RecordOutcome::Kind::kNotRecordable;
  if (name == "bad_task") return RecordOutcome::Kind::kBadTask;
  if (name == "bad_candidate") return RecordOutcome::Kind::kBadCandidate;
  return RecordOutcome::Kind::kMalformed;
}

std::string text_of(const Json& json, const char* name) {
  return json.contains(name) && json[name].is_string() ? json[name].get<std::string>() : std::string();
}

void malformed(RecordOutcome& outcome, const std::string& message) {
  outcome.kind = RecordOutcome::Kind::kMalformed;
  outcome.message = message;
}

// Names as the user knows them, instead of those inside the sandbox.
void rename_files(RecordOutcome& outcome, const RecordRequest& request) {
  const auto rename = [&](std::string& name) {
    if (name == kTaskFile)
      name = request.task.id;
    else if (name == kCandidateFile && !request.candidate_name.empty())
      name = request.candidate_name;
  };
  rename(outcome.file);
  if (outcome.program) {
    for (std::string& name : outcome.program->files) rename(name);
  }
  for (const char* inside : {kTaskFile, kCandidateFile}) {
    std::string name = inside;
    rename(name);
    if (outcome.message.starts_with(std::string(inside) + ":"))
      outcome.message.replace(0, std::string(inside).size(), name);
  }
}

}  // namespace

std::string to_string(RecordOutcome::Kind kind) {
  switch (kind) {
    case RecordOutcome::Kind::kRecorded:
      return "recorded";
    case RecordOutcome::Kind::kRaised:
      return "raised";
    case RecordOutcome::Kind::kNotRecordable:
      return "not_recordable";
    case RecordOutcome::Kind::kBadTask:
      return "bad_task";
    case RecordOutcome::Kind::kBadCandidate:
      return "bad_candidate";
    case RecordOutcome::Kind::kTimeout:
      return "timeout";
    case RecordOutcome::Kind::kCrashed:
      return "crashed";
    case RecordOutcome::Kind::kMalformed:
      return "malformed";
  }
  return "";
}

struct Recorder::Impl {
  explicit Impl(RecorderOptions given) : options(std::move(given)) {
    for (const std::string& path : options.interpreter.paths) options.policy.readable.push_back(path);
    for (const char* path : kSystemPaths) {
      if (std::filesystem::exists(path)) options.policy.readable.emplace_back(path);
    }
    options.policy.scratch = scratch_for(options.policy);
    zygote = std::make_unique<sandbox::Zygote>(zygote_options(options));
  }

  // A job of the warm zygote; one that died is replaced once.
  sandbox::Job start() {
    const std::lock_guard<std::mutex> lock(mutex);
    for (int attempt = 0;; ++attempt) {
      if (!zygote) zygote = std::make_unique<sandbox::Zygote>(zygote_options(options));
      try {
        return zygote->start(options.policy);
      } catch (const base::InfrastructureError&) {
        zygote.reset();
        if (attempt == 1) throw;
      }
    }
  }

  // One message of the sandboxed process; true when it was the last.
  bool take(const std::string& message, const RecordRequest& request, sandbox::Job& job, RecordOutcome& outcome);
  void answer(const Json& message, const RecordRequest& request, sandbox::Job& job, RecordOutcome& outcome);

  RecorderOptions options;
  std::mutex mutex;
  std::unique_ptr<sandbox::Zygote> zygote;
};

bool Recorder::Impl::take(const std::string& message, const RecordRequest& request, sandbox::Job& job,
                          RecordOutcome& outcome) {
  const Json json = Json::parse(message, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) {
    malformed(outcome, "the answer is no JSON object");
    return true;
  }
  const std::string kind = text_of(json, "kind");
  if (kind == "question" && json.contains("question") && json.contains("program")) {
    answer(json, request, job, outcome);
    return outcome.kind == RecordOutcome::Kind::kMalformed;
  }
  if (kind == "program" && json.contains("program")) {
    base::Result<program::Program> read = program::program_from_json(json["program"]);
    if (read.ok()) {
      outcome.program = std::move(read).value();
      outcome.kind = RecordOutcome::Kind::kRecorded;
    } else {
      malformed(outcome, "the program is not valid: " + read.error());
    }
    return true;
  }
  outcome.kind = kind_of(kind);
  outcome.phase = text_of(json, "phase");
  outcome.exception = text_of(json, "exception");
  outcome.message = text_of(json, "message");
  outcome.file = text_of(json, "file");
  outcome.code = text_of(json, "code");
  if (json.contains("line") && json["line"].is_number_integer()) outcome.line = json["line"].get<int>();
  if (outcome.kind == RecordOutcome::Kind::kMalformed) outcome.message = "an answer of unknown kind \"" + kind + "\"";
  return true;
}

void Recorder::Impl::answer(const Json& message, const RecordRequest& request, sandbox::Job& job,
                            RecordOutcome& outcome) {
  std::string reply = "{}";
  if (request.answer) {
    const base::Result<program::Program> so_far = program::program_from_json(message["program"], {.partial = true});
    if (!so_far.ok()) return malformed(outcome, "the program of a question is not valid: " + so_far.error());
    const base::Result<program::Question> question = program::read_question(message["question"], so_far.value());
    if (!question.ok()) return malformed(outcome, "a question is not valid: " + question.error());
    if (const std::optional<program::Value> value = request.answer(so_far.value(), question.value())) {
      reply = "{\"answer\":" + program::to_json(*value) + "}";
    }
  }
  job.send(reply);
}

Recorder::Recorder(RecorderOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Recorder::~Recorder() = default;

RecordOutcome Recorder::record(const RecordRequest& request) {
  const auto begin = std::chrono::steady_clock::now();
  sandbox::Job job = impl_->start();
  RecordOutcome outcome;
  outcome.level = impl_->options.policy.level;
  bool answered = false;
  if (job.send(request_text(request))) {
    while (!answered) {
      const std::optional<std::string> message = job.receive();
      if (!message) break;
      answered = impl_->take(*message, request, job, outcome);
    }
  }
  const sandbox::Exit exit = job.finish();
  outcome.log = job.log();
  outcome.peak_bytes = exit.peak_bytes;
  if (!answered) {
    using Kind = sandbox::Exit::Kind;
    if (exit.kind == Kind::kInfrastructure) throw base::InfrastructureError("recorder", exit.message);
    if (exit.kind == Kind::kTimedOut) {
      outcome.kind = RecordOutcome::Kind::kTimeout;
      outcome.message = "no answer within " + std::to_string(impl_->options.policy.wall_ms) + " ms";
    } else if (job.malformed()) {
      malformed(outcome, "what it sent is no message");
    } else {
      outcome.kind = RecordOutcome::Kind::kCrashed;
      outcome.message = exit.kind == Kind::kSignaled
                            ? "ended by signal " + std::to_string(exit.code)
                            : "exited with code " + std::to_string(exit.code) + " without an answer";
      if (!exit.message.empty()) outcome.message += ": " + exit.message;
    }
  }
  rename_files(outcome, request);
  outcome.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  return outcome;
}

}  // namespace tritonrl::python
