#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/result.h"
#include "machine/machine.h"
#include "program/kernel_parameter.h"
#include "program/program.h"

namespace tritonrl::machine {

// What each parameter of a compiled kernel gets of the arguments of a recorded launch. `address_of` gives the address
// of a storage's first byte in the kernels' address space.
base::Result<std::vector<Argument>> arguments_of(const program::Program& program, const program::LaunchVariant& variant,
                                                 std::span<const program::KernelParameter> signature,
                                                 const std::function<std::uint64_t(int storage)>& address_of);

}  // namespace tritonrl::machine
