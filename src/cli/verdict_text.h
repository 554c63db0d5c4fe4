#pragma once

#include <string>

#include "record/verdict.h"

namespace tritonrl::cli {

// For a person, one screen: what became of it, why, and what it is worth. Ends in a newline.
std::string summary_text(const record::Verdict& verdict);

// The same at length: what was checked, what failed, expected against got, the place in the file, what to change.
std::string explanation_text(const record::Verdict& verdict);

}  // namespace tritonrl::cli
