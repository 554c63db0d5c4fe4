#pragma once

namespace tritonrl::runner {

// The process end of sandbox::Zygote, as src/python/zygote.py is for Python: forks a confined process for every policy
// that comes in on `control`, and calls `handler(channel)` in it. The calling process must have one thread. Never
// returns: the process ends when the other side closes the socket.
[[noreturn]] void serve(int control, int (*handler)(int channel));

}  // namespace tritonrl::runner
