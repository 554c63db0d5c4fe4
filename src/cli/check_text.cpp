#include "cli/check_text.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>

#include "cli/program_text.h"

namespace tritonrl::cli {
namespace {

using check::CheckFinding;
using check::LaunchReport;
using check::Place;

// As a person in this folder would name it.
std::string short_path(const std::string& file) {
  std::error_code error;
  const std::string near = std::filesystem::proximate(file, error).string();
  return error || near.starts_with("..") ? file : near;
}

std::string shown_place(const Place& place) {
  return short_path(place.file) + (place.line > 0 ? ":" + std::to_string(place.line) : "");
}

std::string triple(const std::array<std::int64_t, 3>& size, const char* between) {
  return std::to_string(size[0]) + between + std::to_string(size[1]) + between + std::to_string(size[2]);
}

using Cells = std::array<std::string, 8>;

Cells cells_of(const LaunchReport& launch) {
  double bytes = 0;
  for (const machine::TensorTraffic& tensor : launch.counters.tensors) bytes += tensor.load_bytes + tensor.store_bytes;
  return {launch.kernel,
          shown_place(launch.launched),
          triple(launch.grid, " x "),
          std::to_string(launch.times),
          quantity_text(bytes, "B"),
          number_text("%.0f %%", 100 * launch.counters.coalescing()),
          microseconds_text(launch.time.seconds),
          machine::bounds_of(launch.time)[0].name};
}

std::string table_of(const std::vector<LaunchReport>& launches) {
  std::vector<Cells> rows = {
      {"kernel", "launched at", "grid", "launches", "bytes", "coalesced", "modelled", "bound by"}};
  for (const LaunchReport& launch : launches) rows.push_back(cells_of(launch));
  std::array<std::size_t, std::tuple_size_v<Cells>> widths{};
  for (const Cells& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string out;
  for (const Cells& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i)
      line += (i > 0 ? "  " : "") + row[i] + std::string(widths[i] - row[i].size(), ' ');
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

std::string shown_finding(const CheckFinding& finding) {
  std::ostringstream out;
  out << shown_place(finding.place) << ": " << finding.rule;
  if (!finding.kernel.empty()) out << " in " << finding.kernel;
  out << "\n";
  if (!finding.code.empty()) out << "    " << finding.code << "\n";
  out << "  " << finding.message << "\n";
  if (finding.launched.line > 0) {
    out << "  " << (finding.times == 1 ? "once" : std::to_string(finding.times) + " times") << ", "
        << (finding.times == 1 ? "" : "first ") << "by program (" << triple(finding.program, ", ") << "), launched at "
        << shown_place(finding.launched) << "\n";
  }
  return out.str();
}

}  // namespace

std::string check_text(const check::ScriptReport& script) {
  std::ostringstream out;
  if (!script.launches.empty()) out << table_of(script.launches);
  for (const std::string& one : script.left_out) out << "left out: " << one << "\n";
  for (const CheckFinding& finding : script.findings) out << shown_finding(finding);
  for (const std::string& one : script.unchecked) out << "not checked: " << one << "\n";
  if (!script.raised.empty())
    out << (script.raised_at.line > 0 ? shown_place(script.raised_at) + ": " : std::string()) << script.raised << "\n";
  const std::size_t found = script.findings.size();
  out << short_path(script.script) << ": ";
  if (found == 0) {
    out << "nothing found";
  } else {
    out << found << (found == 1 ? " finding" : " findings");
  }
  std::int64_t launches = 0;
  for (const LaunchReport& launch : script.launches) launches += launch.times;
  if (launches == 0) {
    out << ", no kernel was executed, ";
  } else {
    out << " in " << launches << (launches == 1 ? " launch" : " launches") << ", ";
  }
  out << number_text("%.1f", script.seconds) << " s\n";
  return out.str();
}

}  // namespace tritonrl::cli
