#pragma once

#include <string_view>

namespace tritonrl::base {

// Prints the broken condition with its place and aborts. Call through TRL_CHECK.
[[noreturn]] void check_failed(const char* condition, const char* file, int line, std::string_view message);

}  // namespace tritonrl::base

// For bugs of ours, always on. Never for input: that is an Error or a value.
#define TRL_CHECK(condition, message)                                                          \
  do {                                                                                         \
    if (!(condition)) ::tritonrl::base::check_failed(#condition, __FILE__, __LINE__, message); \
  } while (false)
