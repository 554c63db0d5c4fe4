#include "python/expression_tracer.h"

#include "python/process_answer.h"
#include "python/record_request_json.h"
#include "sandbox/job.h"

namespace tritonrl::python {
namespace {

constexpr const char* kTracedBy = "recorder";

TraceOutcome malformed(const std::string& message) {
  TraceOutcome out;
  out.kind = RecordOutcome::Kind::kMalformed;
  out.message = message;
  return out;
}

TraceOutcome silent(const SilentEnd& end) {
  TraceOutcome out;
  out.kind = record_kind(end.kind);
  out.message = end.message;
  return out;
}

}  // namespace

TraceOutcome ExpressionTracer::trace(const record::Task& task) {
  RecordRequest request;
  request.task = task;
  request.target = &target_;
  Service& service = recorder_.service();
  sandbox::Job job = service.start(service.policy());
  std::optional<std::string> reply;
  if (job.send(to_json(request, {.trace = true}))) reply = job.receive();
  if (!reply) return silent(silent_end(kTracedBy, service.policy(), job, job.finish()));
  job.finish();

  const std::optional<base::Json> json = base::Json::try_parse(*reply);
  std::optional<ProcessAnswer> told = json ? answer_of(*json) : std::nullopt;
  if (!told) return malformed("the answer is no JSON object with a kind");
  TraceOutcome out;
  if (const base::Json* values = json->find("values"); values != nullptr && told->kind == "trace") {
    out.traced = true;
    out.values = values->dump();
    return out;
  }
  out.kind = record_kind(told->kind);
  out.phase = std::move(told->phase);
  out.exception = std::move(told->exception);
  out.message = std::move(told->message);
  out.line = told->line;
  return out;
}

}  // namespace tritonrl::python
