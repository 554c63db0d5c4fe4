#include "cli/record_table.h"

#include <algorithm>
#include <cstdio>

#include "cli/program_text.h"
#include "program/level.h"

namespace tritonrl::cli {

std::string problem_text(const python::RecordOutcome& outcome) {
  if (outcome.kind == python::RecordOutcome::Kind::kRecorded) return "";
  std::string out = to_string(outcome.kind);
  if (!outcome.phase.empty()) out += " in " + outcome.phase;
  if (!outcome.file.empty()) out += " at " + outcome.file + ":" + std::to_string(outcome.line);
  if (!outcome.exception.empty() && outcome.kind == python::RecordOutcome::Kind::kRaised)
    out += ": " + outcome.exception;
  if (!outcome.message.empty()) out += ": " + outcome.message;
  return out;
}

std::string table_header() {
  char line[256];
  std::snprintf(line, sizeof(line), "%-36s %5s %6s %8s %9s %10s %12s %9s %7s %6s", "file", "level", "calls", "launches",
                "replaced", "moved", "modelled us", "questions", "ms", "MiB");
  return line;
}

std::string table_row(const std::string& name, const python::RecordOutcome& outcome,
                      const std::optional<program::Difference>& difference, const program::Target& target) {
  char line[512];
  if (!outcome.program) {
    std::snprintf(line, sizeof(line), "%-36s ", name.c_str());
    std::string problem = problem_text(outcome);
    for (char& c : problem) c = c == '\n' ? ' ' : c;
    return line + problem.substr(0, 300);
  }
  const program::ProgramCost cost = program::cost_of(*outcome.program, target, 0);
  char replaced[16] = "-";
  if (difference) std::snprintf(replaced, sizeof(replaced), "%.0f %%", difference->share_replaced() * 100);
  std::snprintf(line, sizeof(line), "%-36s %5d %6d %8d %9s %10s %12.1f %9d %7.0f %6.0f", name.c_str(),
                program::level_of(*outcome.program).level, cost.calls, cost.launches, replaced,
                bytes_text(cost.bytes_read + cost.bytes_written).c_str(), cost.seconds * 1e6, cost.questions,
                outcome.milliseconds, static_cast<double>(outcome.peak_bytes) / (1 << 20));
  return line;
}

std::string table_summary(const std::vector<std::pair<std::string, python::RecordOutcome>>& rows) {
  std::vector<const std::pair<std::string, python::RecordOutcome>*> recorded;
  for (const auto& row : rows) {
    if (row.second.program) recorded.push_back(&row);
  }
  std::string out = std::to_string(recorded.size()) + " of " + std::to_string(rows.size()) + " recorded";
  if (recorded.empty()) return out;
  const auto slower = [](const auto* a, const auto* b) { return a->second.milliseconds < b->second.milliseconds; };
  std::sort(recorded.begin(), recorded.end(), slower);
  const auto* largest = *std::max_element(recorded.begin(), recorded.end(), [](const auto* a, const auto* b) {
    return a->second.peak_bytes < b->second.peak_bytes;
  });
  char line[512];
  std::snprintf(line, sizeof(line), "; median %.0f ms, slowest %.0f ms (%s); peak memory %.0f MiB (%s)",
                recorded[recorded.size() / 2]->second.milliseconds, recorded.back()->second.milliseconds,
                recorded.back()->first.c_str(), static_cast<double>(largest->second.peak_bytes) / (1 << 20),
                largest->first.c_str());
  return out + line;
}

}  // namespace tritonrl::cli
