#pragma once

#include <span>

namespace tritonrl::sandbox {

// Names of the calls that the filter lets through whatever their arguments. Names that an architecture does not have
// are skipped. Left out on purpose, although programs use them: chmod, chown, utime, xattr and truncate by path, file
// locks and hard links (Landlock does not guard them outside the scratch), sched_setaffinity and setpriority (they
// reach other processes), every socket call, memfd, shared memory, keys, io_uring, ptrace, pidfd.
std::span<const char* const> plain_calls();

// With `Policy::processes`: start programs and wait for them.
std::span<const char* const> process_calls();

// With `Policy::devices`: what CUDA's driver calls beside the plain ones, as far as no argument matters. Sockets are
// harmless as long as none can be connected, none takes connections and none is for datagrams, which need no
// connection.
std::span<const char* const> device_calls();

// With `Policy::processes` where every file outside the scratch is read-only: what linkers and archivers do to files.
std::span<const char* const> metadata_calls();

}  // namespace tritonrl::sandbox
