#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "machine/code.h"

namespace tritonrl::machine {

// What the executor knows beyond elementwise operations, one function a family. Each fills in `step` (run, detail, …)
// for an operation whose operands and results already have their places; false: it is none of this family.
struct StepContext {
  const Operation& op;
  const Function& function;  // for the types of values
  std::vector<std::unique_ptr<Detail>>& details;
  std::int32_t scratch = -1;                    // frame offset of scratch_bytes_for(op) bytes
  std::span<const std::int32_t> operands = {};  // frame offsets of all operands; Step::in has the first four

  const Type& operand(std::size_t i) const { return function.values[static_cast<std::size_t>(op.operands[i])]; }
  const Type& result(std::size_t i = 0) const { return function.values[static_cast<std::size_t>(op.results[i])]; }

  template <class T>
  T& make() const {
    auto owned = std::make_unique<T>();
    T& made = *owned;
    details.push_back(std::move(owned));
    return made;
  }
};

bool make_data_movement(const StepContext& context,
                        Step& step);                       // splat, broadcast, trans, join, split, cat, gather, …
bool make_access(const StepContext& context, Step& step);  // load, store
bool make_atomic(const StepContext& context, Step& step);  // atomic_rmw, atomic_cas
bool make_tensor_pointer(const StepContext& context, Step& step);  // block pointers and descriptors
bool make_dot(const StepContext& context, Step& step);
bool make_program_info(const StepContext& context, Step& step);  // program ids, asserts, assumptions, prints, barriers

// Bytes of scratch in the frame that the step of this operation wants.
std::int64_t scratch_bytes_for(const Operation& op, const Function& function);

}  // namespace tritonrl::machine
