#pragma once

#include <string_view>

#include "check/report.h"

namespace tritonrl::check {

// Adds what a script's process told (a line of src/python/check/events.py) to the report. JsonError for what is none.
void add_event(Report& report, std::string_view line);

}  // namespace tritonrl::check
