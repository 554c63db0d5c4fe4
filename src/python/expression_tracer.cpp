#include "python/expression_tracer.h"

#include <nlohmann/json.hpp>

#include "python/record_request_json.h"
#include "sandbox/job.h"

namespace tritonrl::python {
namespace {

using OrderedJson = nlohmann::ordered_json;  // keeps the order of attributes

constexpr const char* kName = "recorder";

TraceOutcome malformed(const std::string& message) {
  TraceOutcome out;
  out.kind = RecordOutcome::Kind::kMalformed;
  out.message = message;
  return out;
}

TraceOutcome silent(const SilentEnd& end) {
  TraceOutcome out;
  out.kind = end.kind == SilentEnd::Kind::kTimeout   ? RecordOutcome::Kind::kTimeout
             : end.kind == SilentEnd::Kind::kCrashed ? RecordOutcome::Kind::kCrashed
                                                     : RecordOutcome::Kind::kMalformed;
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
  if (!reply) return silent(silent_end(kName, service.policy(), job, job.finish()));
  job.finish();

  const OrderedJson json = OrderedJson::parse(*reply, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("kind") || !json["kind"].is_string())
    return malformed("the answer is no JSON object with a kind");
  TraceOutcome out;
  if (json["kind"] == "trace" && json.contains("values")) {
    out.traced = true;
    out.values = json["values"].dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
    return out;
  }
  const auto text = [&](const char* name) {
    return json.contains(name) && json[name].is_string() ? json[name].get<std::string>() : std::string();
  };
  const std::string kind = json["kind"];
  out.kind = kind == "raised"           ? RecordOutcome::Kind::kRaised
             : kind == "not_recordable" ? RecordOutcome::Kind::kNotRecordable
             : kind == "bad_task"       ? RecordOutcome::Kind::kBadTask
                                        : RecordOutcome::Kind::kMalformed;
  out.phase = text("phase");
  out.exception = text("exception");
  out.message = text("message");
  if (json.contains("line") && json["line"].is_number_integer()) out.line = json["line"].get<int>();
  return out;
}

}  // namespace tritonrl::python
