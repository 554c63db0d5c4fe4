#pragma once

#include <string>

#include "program/difference.h"

namespace tritonrl::cli {

// What a candidate does instead of the reference, for a person: replaced, kept and added work with its modelled time.
std::string difference_text(const program::Difference& difference);

}  // namespace tritonrl::cli
