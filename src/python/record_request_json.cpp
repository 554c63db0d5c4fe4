#include "python/record_request_json.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "base/json.h"
#include "python/target_json.h"

namespace tritonrl::python {
namespace {

using base::Json;

Json to_json(const StrideOverride& override) {
  std::string section = "initialise";
  if (override.section == StrideOverride::Section::kInputs) section = "inputs " + std::to_string(override.forward);
  if (override.section == StrideOverride::Section::kForward) section = "forward " + std::to_string(override.forward);
  return {{"section", section}, {"step", override.step}, {"strides", override.strides}};
}

}  // namespace

std::string to_json(const RecordRequest& request, const RequestExtras& extras) {
  static constexpr std::array kPrecisions = {"", "float16", "bfloat16", "float32", "float64"};
  TRL_CHECK(std::find(kPrecisions.begin(), kPrecisions.end(), request.precision) != kPrecisions.end(),
            "a precision is one of torch's floating types");
  Json json = {
      {"target", target_json(*request.target)},  {"forwards", request.forwards},
      {"max_steps", request.max_steps},          {"guarded", request.guarded},
      {"entry_point", request.task.entry_point}, {"task", {{"file", kTaskFile}, {"source", request.task.source}}}};
  if (!request.precision.empty()) json["precision"] = request.precision;
  if (extras.check_source) json["check_source"] = true;
  if (request.modules) json["modules"] = true;
  if (extras.trace) json["trace"] = true;
  if (extras.try_inputs) json["try"] = extras.larger ? "larger" : "usual";
  if (extras.limit_ms > 0) json["limit_ms"] = extras.limit_ms;
  for (const StrideOverride& one : request.strides) json["strides"].push_back(to_json(one));
  if (!request.first_called.empty()) json["first_called"] = request.first_called;
  if (!request.candidate.empty()) json["candidate"] = {{"file", kCandidateFile}, {"source", request.candidate}};
  return json.dump();
}

}  // namespace tritonrl::python
