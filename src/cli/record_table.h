#pragma once

#include <optional>
#include <string>

#include "program/difference.h"
#include "python/recorder.h"

namespace tritonrl::cli {

// The table of several recordings: one line a file.
std::string table_header();
std::string table_row(const std::string& name, const python::RecordOutcome& outcome,
                      const std::optional<program::Difference>& difference, const program::Target& target);

// What went wrong, in one line with place and reason; empty for a recording.
std::string problem_text(const python::RecordOutcome& outcome);

}  // namespace tritonrl::cli
