#pragma once

#include <sys/types.h>

#include <array>
#include <optional>

#include "sandbox/zygote.h"

namespace tritonrl::sandbox {

// A process that keeps warm zygotes for this user's other processes: what an interpreter imports is imported once, and
// each of them gets a copy, forked in milliseconds. It listens on the local socket that TRITONRL_NURSERY names.
inline constexpr const char* kNurseryVariable = "TRITONRL_NURSERY";

// Control socket, output and boot text of a zygote that is wanted.
using ZygoteEnds = std::array<int, 3>;

// The process of a copy of the nursery's zygote for these options, which holds `ends`. None: there is no nursery, or
// none that can; start one as if there were none.
std::optional<pid_t> copy_from_nursery(const ZygoteOptions& options, const ZygoteEnds& ends);

// Is the nursery: serves whoever of this user's connects to `listener` (listen_at, SOCK_SEQPACKET) until nobody has for
// `minutes`, or asks it to end. Zygotes are started when they are asked for first.
void serve_nursery(int listener, int minutes);

// Ends the nursery that listens on `socket`. False: there is none. Copies that it gave go on.
bool end_nursery(int socket);

}  // namespace tritonrl::sandbox
