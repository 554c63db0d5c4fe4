#pragma once

#include <string>

namespace tritonrl::cli {

// The model that comes with the program: models/embedded beside it, above it, or in the working directory. Empty: it is
// not there.
std::string shipped_model();

}  // namespace tritonrl::cli
