#pragma once

namespace tritonrl::sandbox {

// Moves the calling process, which must have one thread, into new user, mount, network, ipc and uts namespaces, and its
// next child into a new pid namespace, as that child's pid 1. Its user and group keep their numbers; all others become
// nobody. The hostname becomes a neutral one. InfrastructureError names the step that was refused.
void enter_namespaces();

}  // namespace tritonrl::sandbox
