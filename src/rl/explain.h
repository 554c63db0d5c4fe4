#pragma once

#include <string>

#include "track/ledger.h"

namespace tritonrl::rl {

// What became of a task in a run, for a person: every answer with its verdict, what it earned, and whether something
// was learnt from it; the best one's code at the end. UserError if the run never asked it; names some that it asked.
std::string explain_task(const track::Ledger& ledger, const std::string& task);

}  // namespace tritonrl::rl
