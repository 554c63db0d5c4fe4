#pragma once

#include <string>

#include "program/program.h"
#include "program/target.h"

namespace tritonrl::cli {

// A program as a person would read it: one line a call with shapes, bytes, modelled microseconds and source line; then
// totals. `initialise` adds the constructor's calls, which are only counted otherwise.
std::string program_text(const program::Program& program, const program::Target& target, bool initialise);

// "1.50 GiB", "12.3 KiB", "7 B".
std::string bytes_text(double bytes);

// A number by a pattern of printf; "file.py:12", or nothing where no file is known.
std::string number_text(const char* pattern, double value);
std::string quantity_text(double value, const char* unit);  // "12.3 MB", "960 sectors"
std::string microseconds_text(double seconds);              // "3.2 us"
std::string place_text(const program::Program& program, const program::SourceLine& at);

}  // namespace tritonrl::cli
