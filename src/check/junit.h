#pragma once

#include <string>

#include "check/report.h"

namespace tritonrl::check {

// The report as JUnit XML, for CI: a suite a script; in it a case for each kernel, one for the script itself and one
// for each test that pytest ran. Findings are failures, what ended the script is an error, what was not checked is
// skipped.
std::string junit_text(const Report& report);

}  // namespace tritonrl::check
