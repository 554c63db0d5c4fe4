#include "python/recorder.h"

#include <chrono>
#include <nlohmann/json.hpp>

#include "program/program_json.h"
#include "python/service.h"
#include "sandbox/job.h"

namespace tritonrl::python {
namespace {

using Json = nlohmann::json;

constexpr const char* kName = "recorder";
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

ServiceOptions service_options(RecorderOptions options) {
  Json preload = Json::array();
  if (options.preload_inductor) {
    preload = {"torch._inductor.runtime.triton_helpers", "torch._inductor.runtime.triton_heuristics",
               "torch._inductor.select_algorithm"};
  }
  ServiceOptions out;
  out.name = kName;
  out.interpreter = std::move(options.interpreter);
  out.policy = std::move(options.policy);
  out.library = std::move(options.library);
  out.module = "recorder.session";
  out.options = Json{{"preload", std::move(preload)}}.dump();
  // nothing that compiles: it would start threads in the zygote
  out.environment = {"PYTHONHASHSEED=" + std::to_string(options.hash_seed), "PYTORCH_JIT=0", "TORCHDYNAMO_DISABLE=1"};
  return out;
}

RecordOutcome::Kind kind_of(const std::string& name) {
  if (name == "raised") return RecordOutcome::Kind::kRaised;
  if (name == "not_recordable") return RecordOutcome::Kind::kNotRecordable;
  if (name == "bad_task") return RecordOutcome::Kind::kBadTask;
  if (name == "bad_candidate") return RecordOutcome::Kind::kBadCandidate;
  return RecordOutcome::Kind::kMalformed;
}

RecordOutcome::Kind kind_of(SilentEnd::Kind kind) {
  switch (kind) {
    case SilentEnd::Kind::kTimeout:
      return RecordOutcome::Kind::kTimeout;
    case SilentEnd::Kind::kCrashed:
      return RecordOutcome::Kind::kCrashed;
    case SilentEnd::Kind::kMalformed:
      break;
  }
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
  explicit Impl(RecorderOptions options) : service(service_options(std::move(options))) {}

  // One message of the sandboxed process; true when it was the last.
  bool take(const std::string& message, const RecordRequest& request, sandbox::Job& job, RecordOutcome& outcome);
  void answer(const Json& message, const RecordRequest& request, sandbox::Job& job, RecordOutcome& outcome);

  Service service;
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
  const sandbox::Policy& policy = impl_->service.policy();
  sandbox::Job job = impl_->service.start(policy);
  RecordOutcome outcome;
  outcome.level = policy.level;
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
    SilentEnd end = silent_end(kName, policy, job, exit);
    outcome.kind = kind_of(end.kind);
    outcome.message = std::move(end.message);
  }
  rename_files(outcome, request);
  outcome.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  return outcome;
}

}  // namespace tritonrl::python
