#include "python/input_trials.h"

#include <nlohmann/json.hpp>

#include "python/record_request_json.h"
#include "sandbox/job.h"

namespace tritonrl::python {

TriedInputs InputTrials::find(const record::Task& task) {
  using Json = nlohmann::json;
  RecordRequest request;
  request.task = task;
  request.target = &target_;
  Service& service = recorder_.service();
  sandbox::Job job = service.start(service.policy());
  std::optional<std::string> reply;
  if (job.send(to_json(request, {.try_inputs = true}))) reply = job.receive();
  if (!reply) return {.text = {}, .message = silent_end("recorder", service.policy(), job, job.finish()).message};
  const Json json = Json::parse(*reply, nullptr, /*allow_exceptions=*/false);
  const auto text = [&](const char* name) {
    return json.is_object() && json.contains(name) && json[name].is_string() ? json[name].get<std::string>() : "";
  };
  if (text("kind") == "inputs") return {.text = text("text"), .message = {}};
  std::string message = text("message");
  if (!text("exception").empty()) message = text("phase") + ": " + text("exception") + ": " + message;
  return {.text = {}, .message = message.empty() ? "the answer of the trials cannot be read" : message};
}

}  // namespace tritonrl::python
