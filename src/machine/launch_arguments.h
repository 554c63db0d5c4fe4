#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/result.h"
#include "machine/machine.h"
#include "program/program.h"

namespace tritonrl::machine {

// The parameters of a compiled kernel from the arguments of a recorded launch. `parameters` are the indices of those
// arguments that are no constants, in order (the compiler says which). `address_of` gives the address of a storage's
// first byte in the kernels' address space.
base::Result<std::vector<Argument>> arguments_of(const program::Program& program, const program::LaunchVariant& variant,
                                                 std::span<const int> parameters,
                                                 const std::function<std::uint64_t(int storage)>& address_of);

}  // namespace tritonrl::machine
