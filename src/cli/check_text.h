#pragma once

#include <string>

#include "check/report.h"

namespace tritonrl::cli {

// What was found in a script: a table of its launches, then each finding with the user's line and that line's text.
std::string check_text(const check::ScriptReport& script);

}  // namespace tritonrl::cli
