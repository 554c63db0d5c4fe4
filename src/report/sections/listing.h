#pragma once

#include <string>

#include "report/document.h"
#include "report/material/answers.h"

namespace tritonrl::report {

// An answer for a person to read: its code, what the judge said of it and where. `from`: whose it is.
Listing listing_of(const Answer& answer, const std::string& title, const std::string& from);

}  // namespace tritonrl::report
