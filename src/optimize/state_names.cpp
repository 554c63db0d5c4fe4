#include "optimize/state_names.h"

#include <map>
#include <optional>
#include <vector>

#include "program/dtype.h"

namespace tritonrl::optimize {
namespace {

// By name: "f32[64,64]".
using State = std::map<std::string, std::pair<program::DType, std::vector<std::int64_t>>>;

std::optional<State> state_of(const python::RecordOutcome& outcome) {
  if (!outcome.program) return std::nullopt;
  State out;
  for (const program::NamedTensor& one : outcome.program->state) {
    const program::Tensor& tensor = outcome.program->tensors[static_cast<std::size_t>(one.tensor.index)];
    out.emplace(one.name, std::pair(tensor.dtype, tensor.sizes));
  }
  return out;
}

}  // namespace

std::string other_state(const record::Task& task, const std::string& candidate, python::Recorder& recorder,
                        const program::Target& target) {
  python::RecordRequest request;
  request.task = task;
  request.target = &target;
  const std::optional<State> wanted = state_of(recorder.record(request));
  request.candidate = candidate;
  request.candidate_name = "candidate.py";
  const std::optional<State> held = state_of(recorder.record(request));
  if (!wanted || !held) return "it could not be compared";
  for (const auto& [name, tensor] : *wanted) {
    const auto found = held->find(name);
    if (found == held->end()) return "it has no " + name;
    if (found->second != tensor) return "its " + name + " has another shape or type";
  }
  for (const auto& [name, tensor] : *held) {
    if (!wanted->contains(name)) return "it has a further " + name;
  }
  return "";
}

}  // namespace tritonrl::optimize
