#include "teacher/plan/plan.h"

#include <algorithm>

namespace tritonrl::teacher {
namespace {

constexpr std::string_view kHeader = "# fused", kOperator = "#   ";
constexpr std::size_t kMostRegions = 64;

// "fused1", with at least one digit.
std::size_t name_length(std::string_view header) {
  std::size_t end = kHeader.size();
  while (end < header.size() && header[end] >= '0' && header[end] <= '9') ++end;
  return end == kHeader.size() || (end < header.size() && header[end] != ' ') ? 0 : end;
}

// "split rows form=split block=1024"
base::Result<PlannedRegion> read_header(std::string_view line) {
  const std::size_t end = name_length(line);
  PlannedRegion out{.name = std::string(line.substr(2, end - 2))};
  std::string_view rest = line.substr(end);
  const std::size_t sign = rest.find('=');
  const std::size_t words = sign == std::string_view::npos ? rest.size() : rest.rfind(' ', sign) + 1;
  std::string_view kind = rest.substr(0, words);
  while (kind.starts_with(' ')) kind.remove_prefix(1);
  while (kind.ends_with(' ')) kind.remove_suffix(1);
  out.kind = kind;
  const base::Result<Schedule> schedule = read_schedule(rest.substr(words));
  if (!schedule.ok()) return base::Failure{out.name + ": " + schedule.error()};
  out.schedule = schedule.value();
  return out;
}

}  // namespace

std::string plan_text(std::span<const PlannedRegion> plan) {
  std::string out;
  for (const PlannedRegion& region : plan) {
    const std::string words = to_text(region.schedule);
    out += "# " + region.name + " " + region.kind + (words.empty() ? "" : " " + words) + "\n";
    for (std::size_t at = 0; at <= region.operators.size();) {
      const std::size_t end = std::min(region.operators.find('\n', at), region.operators.size());
      (out += kOperator).append(region.operators, at, end - at) += '\n';
      at = end + 1;
    }
  }
  return out;
}

std::vector<PlannedRegion> plan_of(const Rewritten& solution) {
  std::vector<PlannedRegion> out;
  const auto add = [&](const RegionReport& region, const std::string& operators) {
    const bool told =
        std::ranges::any_of(out, [&](const PlannedRegion& other) { return other.operators == operators; });
    if (told) return;  // the same words in two places are one region
    out.push_back({.name = "fused" + std::to_string(out.size() + 1),
                   .kind = region.kind,
                   .schedule = region.taken,
                   .operators = operators});
  };
  for (const RegionReport& region : solution.regions) {
    add(region, region.plan);
    for (const std::string& operators : region.also) add(region, operators);
  }
  return out;
}

base::Result<std::vector<PlannedRegion>> read_plan(std::string_view answer) {
  std::vector<PlannedRegion> out;
  for (std::size_t at = 0; at < answer.size();) {
    const std::size_t end = std::min(answer.find('\n', at), answer.size());
    std::string_view line = answer.substr(at, end - at);
    at = end + 1;
    while (line.ends_with('\r') || line.ends_with(' ')) line.remove_suffix(1);
    if (line.starts_with(kHeader) && name_length(line) > 0) {
      base::Result<PlannedRegion> region = read_header(line);
      if (!region.ok()) return base::Failure{region.error()};
      out.push_back(std::move(region).value());
      if (out.size() > kMostRegions) return base::Failure{"the plan has more than 64 regions"};
    } else if (line.starts_with(kOperator) && !out.empty()) {
      std::string& operators = out.back().operators;
      operators += (operators.empty() ? "" : "\n") + std::string(line.substr(kOperator.size()));
    } else if (!out.empty()) {
      break;
    }
  }
  if (out.empty()) return base::Failure{"there is no plan: no line begins with '# fused1'"};
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i].operators.empty()) return base::Failure{out[i].name + " has no operators"};
    for (std::size_t j = 0; j < i; ++j) {
      if (out[j].operators == out[i].operators) return base::Failure{out[i].name + " is " + out[j].name + " again"};
    }
  }
  return out;
}

}  // namespace tritonrl::teacher
