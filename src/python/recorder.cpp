#include "python/recorder.h"

#include <algorithm>
#include <chrono>

#include "base/error.h"
#include "base/fields.h"
#include "program/program_json.h"
#include "python/process_answer.h"
#include "python/record_request_json.h"
#include "python/service.h"
#include "sandbox/job.h"

namespace tritonrl::python {
namespace {

using base::Json;

constexpr const char* kName = "recorder";
constexpr int kMaxProcesses = 3;  // for the requests of one call
constexpr std::int64_t kFewValues = 2'000'000, kValuesAStep = 400;
constexpr int kRequestTimedOut = 75;                  // exit code: recorder/session.py
constexpr std::chrono::milliseconds kPastAlarm{500};  // after which it is not waited for one who has switched it off

ServiceOptions service_options(RecorderOptions options) {
  Json preload = Json::array();
  if (options.preload_compiler) preload.push_back("torch._dynamo");
  if (options.preload_inductor) {
    for (const char* one : {"torch._inductor.runtime.triton_helpers", "torch._inductor.runtime.triton_heuristics",
                            "torch._inductor.select_algorithm"}) {
      preload.push_back(one);
    }
  }
  ServiceOptions out;
  out.name = kName;
  out.interpreter = std::move(options.interpreter);
  out.policy = std::move(options.policy);
  out.library = std::move(options.library);
  out.module = "recorder.session";
  out.background = options.background;
  out.options = Json{{"preload", std::move(preload)}, {"warm", options.warm}}.dump();
  // nothing that compiles: it would start threads in the zygote
  out.environment = {"PYTHONHASHSEED=" + std::to_string(options.hash_seed), "PYTORCH_JIT=0", "TORCHDYNAMO_DISABLE=1"};
  return out;
}

void malformed(RecordOutcome& outcome, const std::string& message) {
  outcome.kind = RecordOutcome::Kind::kMalformed;
  outcome.message = message;
}

// At least as many as JSON values are in a text: what it takes in memory, but for its strings.
std::int64_t values_in(std::string_view text) {
  return std::ranges::count_if(text, [](char c) { return c == ',' || c == '[' || c == '{' || c == ':'; });
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

// The first report to all requests for the same text.
void share_report(std::span<const RecordRequest> requests, std::span<RecordOutcome> outcomes) {
  for (std::size_t i = 1; i < requests.size(); ++i) {
    if (requests[i].check_source && requests[i].candidate == requests[0].candidate) {
      outcomes[i].source = outcomes[0].source;
    }
  }
}

std::size_t questions_of(const std::vector<program::Step>& steps) {
  return static_cast<std::size_t>(std::count_if(steps.begin(), steps.end(), [](const program::Step& step) {
    return std::holds_alternative<program::Question>(step);
  }));
}

// A program is a claim of the process that runs the candidate: what is in it is held against what was asked for.
// Empty: it is that.
std::string other_than_asked(const program::Program& program, const RecordRequest& request, int questions) {
  if (program.forwards.size() != static_cast<std::size_t>(request.forwards)) {
    return "the program has " + std::to_string(program.forwards.size()) + " calls of forward; " +
           std::to_string(request.forwards) + " were asked for";
  }
  if (request.target != nullptr && program.target != request.target->name)
    return "the program is of another target: " + program.target;
  std::size_t told = questions_of(program.initialise);
  for (const program::Forward& forward : program.forwards)
    told += questions_of(forward.make_inputs) + questions_of(forward.steps);
  if (told > static_cast<std::size_t>(questions)) {
    return "the program holds " + std::to_string(told) + " answers; " + std::to_string(questions) + " were asked for";
  }
  return "";
}

struct ModulesAnswer {
  std::vector<ModuleRun> modules;
  void fields(base::FieldVisitor& field) { field("modules", modules); }
};

// False: they are none of this program.
bool read_modules(const Json& json, const program::Program& program, std::vector<ModuleRun>& out) {
  ModulesAnswer told;
  try {
    base::read_fields(json, told);
  } catch (const base::JsonError&) {
    return false;
  }
  if (program.forwards.empty()) return false;
  out = std::move(told.modules);
  const std::size_t steps = program.forwards.back().steps.size();
  return std::all_of(out.begin(), out.end(),
                     [&](const ModuleRun& one) { return one.begin <= one.end && one.end <= steps; });
}

std::int64_t steps_of(const program::Program& program) {
  std::size_t out = program.initialise.size();
  for (const program::Forward& one : program.forwards) out += one.make_inputs.size() + one.steps.size();
  return static_cast<std::int64_t>(out);
}

}  // namespace

std::span<const char* const> enum_names(RecordOutcome::Kind) {
  static constexpr const char* kNames[] = {"recorded",  "raised",  "not_recordable", "bad_task", "bad_candidate",
                                           "intrusion", "timeout", "crashed",        "malformed"};
  return kNames;
}

std::string to_string(RecordOutcome::Kind kind) {
  return base::enum_name(kind);
}

RecordOutcome::Kind record_kind(const std::string& name) {
  using Kind = RecordOutcome::Kind;
  for (const Kind kind :
       {Kind::kRaised, Kind::kNotRecordable, Kind::kBadTask, Kind::kBadCandidate, Kind::kIntrusion, Kind::kCrashed}) {
    if (to_string(kind) == name) return kind;
  }
  return Kind::kMalformed;
}

RecordOutcome::Kind record_kind(SilentEnd::Kind kind) {
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

struct Recorder::Impl {
  explicit Impl(RecorderOptions options) : service(service_options(std::move(options))) {}

  struct Served {
    std::size_t requests = 0;  // that have an outcome now
    bool out_of_time = false;  // the last one spent the time of all
  };
  // Serves requests in one new process until all have an outcome, or one ends it.
  Served serve(std::span<const RecordRequest> requests, std::span<RecordOutcome> outcomes, const RecordLimits& limits);
  // One request to its end; false where the process ended, or cannot be trusted to be in step any more.
  bool serve_one(const RecordRequest& request, const RequestExtras& extras, std::chrono::steady_clock::time_point until,
                 sandbox::Job& job, RecordOutcome& outcome);
  // One message of the sandboxed process; true when it was the last.
  bool take(const std::string& message, const RecordRequest& request, bool report_due, sandbox::Job& job,
            RecordOutcome& outcome);
  void answer(const Json& message, const RecordRequest& request, sandbox::Job& job, RecordOutcome& outcome);

  Service service;
};

bool Recorder::Impl::take(const std::string& message, const RecordRequest& request, bool report_due, sandbox::Job& job,
                          RecordOutcome& outcome) {
  if (values_in(message) > kFewValues + kValuesAStep * request.max_steps) {
    outcome.kind = RecordOutcome::Kind::kCrashed;
    outcome.message = "the recording is larger than one of " + std::to_string(request.max_steps) + " calls can be";
    return true;
  }
  const std::optional<Json> parsed = Json::try_parse(message);
  if (!parsed || !parsed->is_object()) {
    malformed(outcome, "the answer is no JSON object");
    return true;
  }
  const Json& json = *parsed;
  std::optional<ProcessAnswer> told = answer_of(json);
  if (!told) {
    malformed(outcome, "the answer has another form than answers have");
    return true;
  }
  const std::string& kind = told->kind;
  if (report_due) {
    base::Result<SourceReport> read = source_report_from_json(json.contains("source") ? json["source"].dump() : "");
    if (kind == "source" && read.ok()) {
      outcome.source = std::move(read).value();
      return false;
    }
    malformed(outcome, "the report of the source is not valid");
    return true;
  }
  if (kind == "question" && json.contains("question") && json.contains("program")) {
    if (++outcome.questions > request.max_questions && request.max_questions > 0) {
      outcome.kind = RecordOutcome::Kind::kNotRecordable;
      outcome.too_many_questions = true;
      outcome.message = "more than " + std::to_string(request.max_questions) + " values of tensors are asked for";
      return true;
    }
    answer(json, request, job, outcome);
    return outcome.kind == RecordOutcome::Kind::kMalformed;
  }
  if (kind == "program" && json.contains("program")) {
    base::Result<program::Program> read = program::program_from_json(json["program"]);
    const std::string other = read.ok() ? other_than_asked(read.value(), request, outcome.questions) : std::string();
    if (!other.empty()) {
      malformed(outcome, other);
    } else if (read.ok() && steps_of(read.value()) > request.max_steps) {
      outcome.kind = RecordOutcome::Kind::kCrashed;
      outcome.message = "more than " + std::to_string(request.max_steps) + " calls in one recording";
    } else if (read.ok() && request.modules && !read_modules(json, read.value(), outcome.modules)) {
      malformed(outcome, "what it says of submodules is not valid");
    } else if (read.ok()) {
      outcome.program = std::move(read).value();
      outcome.kind = RecordOutcome::Kind::kRecorded;
    } else {
      malformed(outcome, "the program is not valid: " + read.error());
    }
    return true;
  }
  outcome.kind = record_kind(kind);
  outcome.phase = std::move(told->phase);
  outcome.exception = std::move(told->exception);
  outcome.message = std::move(told->message);
  outcome.file = std::move(told->file);
  outcome.code = std::move(told->code);
  outcome.line = told->line;
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

bool Recorder::Impl::serve_one(const RecordRequest& request, const RequestExtras& extras,
                               std::chrono::steady_clock::time_point until, sandbox::Job& job, RecordOutcome& outcome) {
  if (!job.send(to_json(request, extras))) return false;
  for (bool report_due = extras.check_source;; report_due = false) {
    const std::optional<std::string> message = job.receive(until);
    if (!message) return false;
    if (take(*message, request, report_due, job, outcome)) return true;
  }
}

Recorder::Impl::Served Recorder::Impl::serve(std::span<const RecordRequest> requests, std::span<RecordOutcome> outcomes,
                                             const RecordLimits& limits) {
  sandbox::Policy policy = service.policy();
  const auto count = static_cast<std::int64_t>(requests.size());
  const std::int64_t limit_ms = limits.each_ms > 0 ? std::min(limits.each_ms, policy.wall_ms) : policy.wall_ms;
  const std::int64_t each_ms = limits.budget.patient(limit_ms);
  policy.wall_ms = limits.budget.at_most(each_ms * count);
  policy.memory_bytes = limits.budget.memory_at_most(policy.memory_bytes);
  policy.cpu_seconds *= count;
  if (limits.cpu_ms > 0) policy.cpu_seconds = std::min(policy.cpu_seconds, limits.cpu_ms / 1000 + 1);
  sandbox::Job job = service.start(policy);
  auto begin = std::chrono::steady_clock::now();  // a zygote that still starts is not the recording's doing
  std::size_t done = 0;
  bool answered = true, silenced = false;
  while (answered && done < requests.size()) {
    const RecordRequest& request = requests[done];
    RecordOutcome& outcome = outcomes[done];
    // A report that was made before any of the candidate's code ran is kept: later ones could be of its making.
    const bool check = request.check_source && !request.candidate.empty() && !outcome.source;
    const auto until = begin + std::chrono::milliseconds(each_ms) + kPastAlarm;
    answered = serve_one(request, {.check_source = check, .limit_ms = count > 1 ? each_ms : 0}, until, job, outcome);
    silenced = !answered && std::chrono::steady_clock::now() >= until;
    if (check && outcome.source) share_report(requests.subspan(done), outcomes.subspan(done));
    const auto now = std::chrono::steady_clock::now();
    outcome.milliseconds = std::chrono::duration<double, std::milli>(now - begin).count();
    begin = now;
    ++done;
    if (outcome.kind == RecordOutcome::Kind::kMalformed || outcome.too_many_questions) break;
    if (request.needed && !outcome.program) break;
  }
  const sandbox::Exit exit = job.finish();
  if (!answered && sandbox::starved(exit, limit_ms)) limits.budget.note_starved();
  RecordOutcome& last = outcomes[done - 1];
  if (!answered) {
    const bool own_alarm = exit.kind == sandbox::Exit::Kind::kExited && exit.code == kRequestTimedOut;
    SilentEnd end =
        (count > 1 && own_alarm) || silenced ? no_answer_within(each_ms) : silent_end(kName, policy, job, exit);
    last.kind = record_kind(end.kind);
    last.message = std::move(end.message);
    // one that took too long before it could look is known by that
    const bool late = last.kind == RecordOutcome::Kind::kTimeout;
    if (requests[done - 1].check_source && !requests[done - 1].candidate.empty() && !last.source && !late) {
      last.source.emplace().error = "it could not be parsed: " + last.message;
    }
  }
  const auto now = std::chrono::steady_clock::now();
  last.milliseconds += std::chrono::duration<double, std::milli>(now - begin).count();
  for (std::size_t i = 0; i < done; ++i) {
    outcomes[i].level = policy.level;
    outcomes[i].log = job.log();
    outcomes[i].peak_bytes = exit.peak_bytes;
    rename_files(outcomes[i], requests[i]);
  }
  return {.requests = done, .out_of_time = silenced || (!answered && exit.kind == sandbox::Exit::Kind::kTimedOut)};
}

Recorder::Recorder(RecorderOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Recorder::~Recorder() = default;

RecordOutcome Recorder::record(const RecordRequest& request, const RecordLimits& limits) {
  return std::move(record_all({&request, 1}, limits).front());
}

std::vector<RecordOutcome> Recorder::record_all(std::span<const RecordRequest> requests, const RecordLimits& limits) {
  std::vector<RecordOutcome> outcomes(requests.size());
  std::size_t done = 0;
  for (int process = 0; done < requests.size() && process < kMaxProcesses; ++process) {
    if (process > 0 && limits.budget.over()) break;
    const Impl::Served served = impl_->serve(requests.subspan(done), std::span(outcomes).subspan(done), limits);
    done += served.requests;
    if (served.out_of_time || (requests[done - 1].needed && !outcomes[done - 1].program)) break;
  }
  for (std::size_t i = done; i < outcomes.size(); ++i) {
    outcomes[i] = outcomes[done - 1];
    outcomes[i].milliseconds = 0;
  }
  return outcomes;
}

Service& Recorder::service() {
  return impl_->service;
}

std::vector<TaskInteger> Recorder::integers(const record::Task& task) {
  const std::string request = Json{{"integers", task.source}}.dump();
  if (Json::parse(request).at("integers").text() != task.source) {  // bytes were replaced
    throw base::UserError("task", task.id + ": is no UTF-8 text; save it as UTF-8");
  }
  sandbox::Job job = impl_->service.start(impl_->service.policy());
  const std::optional<std::string> message = job.send(request) ? job.receive() : std::nullopt;
  if (!message) {
    const SilentEnd end = silent_end(kName, impl_->service.policy(), job, job.finish());
    throw base::UserError("task", task.id + ": cannot be parsed: " + end.message);
  }
  return task_integers_from_reply(*message, task);
}

}  // namespace tritonrl::python
