#include "judge/resizable_task.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "program/cost.h"
#include "record/task_constants.h"

namespace tritonrl::judge {
namespace {

SizeCost cost_of(const program::Program& program, const program::Target& target) {
  SizeCost out;
  for (const program::Storage& storage : program.storages) out.bytes += static_cast<double>(storage.bytes);
  const program::ProgramCost cost = program::cost_of(program, target, std::size_t{0});
  out.matrix_ops = cost.matrix_ops;
  out.scalar_ops = cost.scalar_ops + (cost.bytes_read + cost.bytes_written) / 4;
  return out;
}

}  // namespace

ResizableTask::ResizableTask(python::Recorder& recorder, python::RecordRequest reference,
                             std::vector<python::TaskInteger> integers, bool other_numbers)
    : recorder_(recorder),
      reference_(std::move(reference)),
      integers_(std::move(integers)),
      other_numbers_(other_numbers) {
  for (const python::TaskInteger& integer : integers_) constants_.push_back({integer.value, integer.name});
}

record::Task ResizableTask::resized(const Resizing& resizing) const {
  std::vector<std::pair<record::TaskSpan, std::int64_t>> changes;
  for (const python::TaskInteger& integer : integers_) {
    const auto to = resizing.find({integer.value, integer.name});
    if (to != resizing.end()) changes.push_back({{integer.begin, integer.end}, to->second});
  }
  record::Task out = reference_.task;
  out.source = record::with_integers(out.source, changes);
  if (other_numbers_) out.source = record::with_other_numbers(out.source);
  return out;
}

bool gives_numbers(const program::Structure& inputs) {
  const auto* number = inputs.leaf.get_if<double>();
  return (number != nullptr && std::isfinite(*number) && *number != std::floor(*number)) ||
         std::any_of(inputs.items.begin(), inputs.items.end(),
                     [](const auto& one) { return gives_numbers(one.second); });
}

std::vector<std::optional<SizeCost>> ResizableTask::costs(const std::vector<Resizing>& resizings) const {
  std::vector<python::RecordRequest> requests(resizings.size(), reference_);
  for (std::size_t i = 0; i < resizings.size(); ++i) requests[i].task = resized(resizings[i]);
  std::vector<std::optional<SizeCost>> out;
  for (const python::RecordOutcome& outcome : recorder_.record_all(requests)) {
    out.push_back(outcome.program ? std::optional(cost_of(*outcome.program, *reference_.target)) : std::nullopt);
  }
  return out;
}

}  // namespace tritonrl::judge
