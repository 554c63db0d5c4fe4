#include "tests/python/test_recorder.h"

#include <cstdlib>

#include "sandbox/probe.h"
#include "tests/paths.h"

namespace tritonrl::python {

const char* const kPlainTask = R"(
import torch
class Model(torch.nn.Module):
    def forward(self, x):
        return x + 1
def get_inputs():
    return [torch.rand(8, 16)]
def get_init_inputs():
    return []
)";

RecorderOptions test_recorder_options() {
  RecorderOptions options;
  options.interpreter = probe_interpreter(test_python());
  options.library = build_path("libtritonrl_sandbox_enter.so");
  options.policy.level = sandbox::best_level(sandbox::probe());
  return options;
}

Recorder& test_recorder() {
  static Recorder recorder(test_recorder_options());
  return recorder;
}

RecordRequest task_request(const std::string& source) {
  RecordRequest request;
  request.task = {.id = "task.py", .source = source, .entry_point = {}};
  request.target = &program::find_target("h200");
  return request;
}

RecordRequest candidate_request(const std::string& task, const std::string& candidate) {
  RecordRequest request = task_request(task);
  request.candidate = candidate;
  request.candidate_name = "candidate.py";
  return request;
}

}  // namespace tritonrl::python
