#pragma once

namespace tritonrl::sandbox {

// No new privileges by exec, ever; needed by Landlock and seccomp.
void forbid_new_privileges();

// Gives up every capability in every set, those of root included. InfrastructureError if one is left.
void drop_capabilities();

}  // namespace tritonrl::sandbox
