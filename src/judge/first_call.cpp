#include "judge/first_call.h"

#include <algorithm>

#include "runner/structure_tensors.h"

namespace tritonrl::judge {
namespace {

constexpr std::size_t kMostOtherCalls = 6;

std::vector<std::vector<std::int64_t>> shapes_of(const program::Program& program, std::size_t forward) {
  std::vector<std::vector<std::int64_t>> out;
  for (const program::TensorRef ref : runner::tensors_of(program.forwards[forward].inputs))
    out.push_back(program.tensors[static_cast<std::size_t>(ref.index)].sizes);
  return out;
}

}  // namespace

std::vector<Resizing> other_calls(const Resizing& at, const Resizing& other) {
  std::vector<Resizing> out = {other};
  for (const auto& [constant, value] : at) {
    const auto found = other.find(constant);
    const std::int64_t there = found == other.end() ? constant.value : found->second;
    if (there == value) continue;
    Resizing one = at;
    one[constant] = there;
    out.push_back(std::move(one));
  }
  out.resize(std::min(out.size(), kMostOtherCalls));
  return out;
}

bool first_call_differs(const program::Program& program) {
  return program.forwards.size() > 1 && shapes_of(program, 0) != shapes_of(program, 1);
}

std::string first_call(python::Recorder& recorder, python::RecordRequest reference,
                       const std::vector<record::Task>& others) {
  reference.forwards = 2;
  std::vector<python::RecordRequest> requests;
  for (const record::Task& other : others) {
    requests.push_back(reference);
    requests.back().first_called = other.source;
  }
  const std::vector<python::RecordOutcome> outcomes = recorder.record_all(requests);
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (outcomes[i].program && first_call_differs(*outcomes[i].program)) return others[i].source;
  }
  return "";
}

}  // namespace tritonrl::judge
