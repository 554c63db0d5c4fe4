#pragma once

namespace tritonrl::runner {

// In a confined process: reads one request from `channel`, executes it, answers. Returns the exit code.
int handle(int channel);

}  // namespace tritonrl::runner
