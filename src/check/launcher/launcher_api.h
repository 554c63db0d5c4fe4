#pragma once

#include <cstdint>

// The kernel machine for a Python that runs a person's script: src/python/check/machine.py loads this library. One
// thread at a time. Text is UTF-8; what a function returns as text lives until the next call with the same session.
extern "C" {

// `options`: JSON of LauncherOptions. Lives as long as the process. Null where the options are wrong.
[[gnu::visibility("default")]] void* tritonrl_check_open(const char* options);

// Memory of this process that kernels may use from now on: its number. It must stay until it is removed.
[[gnu::visibility("default")]] int tritonrl_check_add(void* session, void* data, std::int64_t bytes);
// Its first byte as kernels see it.
[[gnu::visibility("default")]] std::uint64_t tritonrl_check_address(void* session, int number);
[[gnu::visibility("default")]] void tritonrl_check_remove(void* session, int number);
// What messages call it.
[[gnu::visibility("default")]] void tritonrl_check_name(void* session, int number, const char* name);
// A byte for each byte of it, not zero where nothing was written, which launches clear; null: all is defined.
[[gnu::visibility("default")]] void tritonrl_check_undefined(void* session, int number, std::uint8_t* bytes);

// Triton IR whose locations name `file`: {"kernel": number} or {"error": text}.
[[gnu::visibility("default")]] const char* tritonrl_check_make(void* session, const char* ir, const char* file);
// {"kernel": number, "grid": [x, y, z], "arguments": [...], "num_warps", "num_stages"}; an argument is a whole number,
// {"float": text},
// {"pointer": address} or {"descriptor": {"base", "shape", "strides"}}. Executes it, and gives JSON of a LaunchResult
// or
// {"error": text}.
[[gnu::visibility("default")]] const char* tritonrl_check_launch(void* session, const char* request);
}
