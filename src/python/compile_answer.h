#pragma once

#include <cstdint>
#include <string_view>

#include "python/kernel_compiler.h"

namespace tritonrl::python {

// Reads what a compiling process (or a cache entry) said into `outcome`, whose `kernel.source` and `log` are known.
// For untrusted bytes: anything that is no answer is kMalformed.
void read_answer(std::string_view answer, bool machine_code, std::int64_t memory_bytes, CompileOutcome& outcome);

}  // namespace tritonrl::python
