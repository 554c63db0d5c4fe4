#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <string>
#include <vector>

#include "program/operator_table.h"
#include "program/program.h"
#include "runner/process/storages.h"

namespace tritonrl::runner {

// What an operator gave: tensors of all results in order, lists flat; none where a result is no tensor.
using Results = std::vector<std::optional<at::Tensor>>;

enum class Rounding : std::uint8_t {
  kNone,
  kTf32,   // products see their float32 operands in TF32
  kNoisy,  // results of what rounds are off by up to four steps
};

// Calls `op` through torch's dispatcher. `bound` has a value for each argument of the schema, null where the default
// holds. Stop (kAtenError, kOutOfMemory) if it raises.
Results call_operator(const program::Operator& op, const std::vector<const program::Value*>& bound, Storages& storages,
                      Rounding rounding = Rounding::kNone);

enum class Layout : std::uint8_t {
  kExact,      // a real result has the recorded shape, type and strides
  kConverted,  // it has the shape; type and strides are made those of the recording
};

// Executes a recorded call. Memory is marked as written, views are taken for granted, allocations are filled with
// garbage. Stop (kMismatch) if a real result differs from the recording in what `layout` does not convert.
void execute(const program::Program& program, const program::AtenCall& call, Storages& storages,
             Layout layout = Layout::kExact, Rounding rounding = Rounding::kNone);

// The tensors of the recorded result, laid out like Results.
std::vector<std::optional<program::TensorRef>> places_of(const program::Value& result);

// Whether the call only looks at memory that its operands already have.
bool is_pure_view(const program::Program& program, const program::AtenCall& call, const program::Operator& op);

// Calls `visit(TensorRef)` for each operand that the call writes.
template <class Visit>
void for_each_written(const program::Operator& op, const std::vector<const program::Value*>& bound, Visit&& visit) {
  for (std::size_t i = 0; i < bound.size(); ++i) {
    if (bound[i] != nullptr && op.arguments[i].mutated) program::for_each_tensor(*bound[i], visit);
  }
}

}  // namespace tritonrl::runner
