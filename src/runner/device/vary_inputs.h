#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tritonrl::runner {

// Gives inputs other values of the same structure, in place, as the judge does on the host: zeros stay zeros, masks and
// labels stay what they are. "scaled": twice as large; "signed": centred around zero; "uneven": each row of the last
// dimension in three runs of different sizes, `seed` says which comes first. Others leave them as they are. False:
// there is nothing to change.
bool vary_inputs(const std::vector<at::Tensor>& inputs, const std::string& variation, std::uint64_t seed);

}  // namespace tritonrl::runner
