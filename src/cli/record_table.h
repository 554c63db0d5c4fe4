#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "program/difference.h"
#include "python/recorder.h"

namespace tritonrl::cli {

// The table of several recordings: one line a file.
std::string table_header();
std::string table_row(const std::string& name, const python::RecordOutcome& outcome,
                      const std::optional<program::Difference>& difference, const program::Target& target);

// "250 of 250 recorded; median 38 ms, slowest 120 ms (x.py); peak memory 262 MiB (y.py)".
std::string table_summary(const std::vector<std::pair<std::string, python::RecordOutcome>>& rows);

// What went wrong, in one line with place and reason; empty for a recording.
std::string problem_text(const python::RecordOutcome& outcome);

}  // namespace tritonrl::cli
