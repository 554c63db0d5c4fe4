#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tritonrl::python {

struct CubinInfo {
  int registers = 0;             // of a thread
  std::int64_t stack_bytes = 0;  // local memory of a thread
};

// What a cubin says of the kernel `entry`. For untrusted bytes: a Failure for anything but a whole 64-bit ELF file for
// CUDA with that function in it.
base::Result<CubinInfo> read_cubin(std::string_view bytes, std::string_view entry);

}  // namespace tritonrl::python
