#pragma once

namespace tritonrl::cli {

// The interpreter that the build was configured with; empty: none.
const char* default_python();

}  // namespace tritonrl::cli
