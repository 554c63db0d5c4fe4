#pragma once

namespace tritonrl::runner {

// In a confined process: reads requests from `channel`, executes and answers each, until the other side is gone.
// Returns the exit code.
int handle(int channel);

}  // namespace tritonrl::runner
