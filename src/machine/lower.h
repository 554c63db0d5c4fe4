#pragma once

#include "base/result.h"
#include "machine/code.h"

namespace tritonrl::machine {

struct LowerOptions {
  std::int64_t max_steps = 4'000'000;  // after inlining
  std::int64_t max_frame_bytes = std::int64_t{1} << 30;
};

// Turns a module that read_ir accepted into steps. The module must outlive the code. Operations that nobody knows
// become steps that fail when they are reached.
base::Result<Code> lower(const Module& module, const LowerOptions& options = {});

}  // namespace tritonrl::machine
