#pragma once

// What the Python zygote calls by ctypes, in this order, each once in a process tree. `policy` is the JSON text of a
// Policy. None of them returns after a failure: it is reported through the keeper's socket and the process ends.
extern "C" {

// In the keeper, before it forks the child.
[[gnu::visibility("default")]] void tritonrl_isolate(const char* policy, int keeper);

// In the keeper, after the fork. Never returns.
[[noreturn, gnu::visibility("default")]] void tritonrl_keep(int child, int keeper);

// In the child, after the fork. When it returns the process is confined, with the channel as descriptor 3.
[[gnu::visibility("default")]] void tritonrl_confine(int channel, int log);
}
