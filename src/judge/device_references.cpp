#include "judge/device_references.h"

namespace tritonrl::judge {

std::shared_ptr<const program::Program> DeviceReferences::find(const std::string& task,
                                                               std::shared_ptr<const program::Program> recorded) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto known = by_task_.find(task);
  return known == by_task_.end() || !known->second.program ? recorded : known->second.program;
}

bool DeviceReferences::mend(const std::string& task, python::RecordRequest request, const runner::RunOutcome& outcome,
                            python::Recorder& recorder) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Entry& entry = by_task_[task];
  if (!entry.mending.learn(outcome)) return false;
  python::RecordOutcome again = recorder.record(entry.mending.applied(std::move(request)));
  if (!again.program) return false;
  entry.program = std::make_shared<const program::Program>(std::move(*again.program));
  return true;
}

}  // namespace tritonrl::judge
