#pragma once

#include <sys/types.h>

#include "sandbox/confine.h"
#include "sandbox/exit.h"
#include "sandbox/policy.h"

namespace tritonrl::sandbox {

// The parent of one sandboxed process. Waits until `child` ends, passes a limit, or the other end of the socket
// `keeper` is closed; then kills all that descends from it, waits until nothing is left, removes its scratch folder,
// writes how it ended to `keeper` (to_json of Exit) and exits.
[[noreturn]] void keep(const Policy& policy, Enclosure& enclosure, pid_t child, int keeper);

// Writes a final message to `keeper` and exits.
[[noreturn]] void end_keeper(int keeper, const Exit& exit);

}  // namespace tritonrl::sandbox
