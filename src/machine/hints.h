#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "machine/code.h"

namespace tritonrl::machine {

// What a kernel promises of a value (tl.multiple_of, tl.max_contiguous, tl.max_constancy): the compiler relies on it
// without a check.
struct Hint : Detail {
  struct Axis {
    std::int64_t divisibility = 1, contiguity = 1, constancy = 1;
    bool operator==(const Axis&) const = default;
  };
  std::vector<Axis> axes;
  std::vector<std::int64_t> shape;
  std::int64_t element_bytes = 1;  // of pointers: what they point to
};

// The hint of an operation's result; null: it has none that could fail.
std::unique_ptr<Hint> hint_of(const Operation& op, const Type& result);

// Holds a value against it, where MachineOptions::check_hints. in[0] is the value.
const Step* run_hint(Worker& worker, const Step& step);

}  // namespace tritonrl::machine
