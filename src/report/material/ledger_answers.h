#pragma once

#include <filesystem>

#include "report/material/answers.h"

namespace tritonrl::report {

// The answers of all rounds of a run of reinforcement learning (track/ledger.h), read round by round. Those that the
// run marked as suspicious winners are among the tally's suspicious ones. UserError if the file is no ledger.
AnswerTally ledger_answers(const std::filesystem::path& ledger);

}  // namespace tritonrl::report
