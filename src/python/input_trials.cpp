#include "python/input_trials.h"

#include "python/process_answer.h"
#include "python/record_request_json.h"
#include "sandbox/job.h"

namespace tritonrl::python {

TriedInputs InputTrials::find(const record::Task& task, bool larger) {
  RecordRequest request;
  request.task = task;
  request.target = &target_;
  Service& service = recorder_.service();
  sandbox::Job job = service.start(service.policy());
  std::optional<std::string> reply;
  if (job.send(to_json(request, {.try_inputs = true, .larger = larger}))) reply = job.receive();
  if (!reply) return {.text = {}, .message = silent_end("recorder", service.policy(), job, job.finish()).message};
  const std::optional<base::Json> json = base::Json::try_parse(*reply);
  const std::optional<ProcessAnswer> told = json ? answer_of(*json) : std::nullopt;
  if (!told) return {.text = {}, .message = "the answer of the trials cannot be read"};
  if (const base::Json* text = json->find("text"); told->kind == "inputs" && text != nullptr && text->is_string()) {
    return {.text = text->text(), .message = {}};
  }
  std::string message = told->message;
  if (!told->exception.empty()) message = told->phase + ": " + told->exception + ": " + message;
  return {.text = {}, .message = message.empty() ? "the answer of the trials cannot be read" : message};
}

}  // namespace tritonrl::python
