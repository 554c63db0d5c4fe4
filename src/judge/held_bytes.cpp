#include "judge/held_bytes.h"

namespace tritonrl::judge {
namespace {

std::size_t bytes_of(const std::vector<runner::TensorData>& tensors) {
  std::size_t out = 0;
  for (const runner::TensorData& one : tensors) out += one.bytes.size();
  return out;
}

std::size_t bytes_of(const Draw& draw) {
  std::size_t out = draw.without_buffers ? bytes_of(*draw.without_buffers) : 0;
  for (const runner::GivenInputs& one : draw.inputs) {
    for (const std::string& tensor : one.tensors) out += tensor.size();
  }
  for (const GivenState& one : draw.state) out += one.contents.bytes.size();
  for (const auto* results : {&draw.expected, &draw.oracle, &draw.coarse, &draw.noisy}) {
    for (const auto& forward : *results) out += bytes_of(forward);
  }
  return out;
}

}  // namespace

std::size_t held_bytes(const SizedTask& task) {
  std::size_t out = 0;
  for (const Draw& draw : task.draws) out += bytes_of(draw);
  return out;
}

std::size_t held_bytes(const TaskCase& task) {
  std::size_t out = 0;
  for (const auto* size : {&task.small, &task.tiny, &task.odd, &task.half}) {
    if (*size) out += held_bytes(**size);
  }
  return out;
}

std::size_t held_bytes(const RowAnswer& answer) {
  return bytes_of(answer.expected) + bytes_of(answer.oracle) + bytes_of(answer.coarse);
}

}  // namespace tritonrl::judge
