#include "track/metrics_file.h"

#include <limits>

#include "base/check.h"
#include "base/error.h"
#include "base/files.h"
#include "base/json.h"

namespace tritonrl::track {
namespace {

using base::Json;

StepMetrics read_line(const std::string& line, const std::filesystem::path& path, std::size_t index) {
  const base::Result<StepMetrics> metrics = step_metrics_from_json(line);
  if (metrics.ok()) return metrics.value();
  throw base::UserError("track", path.string() + ":" + std::to_string(index + 1) + ": " + metrics.error() +
                                     "; it is no metrics file of ours, or damaged: move it away");
}

}  // namespace

std::string to_json(const StepMetrics& metrics) {
  Json out = {{"step", metrics.step}};
  for (const auto& [name, value] : metrics.values) out[name] = value;
  return out.dump();
}

base::Result<StepMetrics> step_metrics_from_json(std::string_view line) {
  const std::optional<Json> json = Json::try_parse(line);
  if (!json || !json->is_object()) return base::Failure{"is no JSON object"};
  const Json* step = json->find("step");
  if (step == nullptr || !step->is_number_integer()) return base::Failure{"has no whole number \"step\""};
  StepMetrics out{.step = step->integer(), .values = {}};
  for (const Json::Member& member : json->items()) {
    if (member.name == "step") continue;
    if (!member.value.is_null() && !member.value.is_number())
      return base::Failure{"\"" + member.name + "\" is no number"};
    out.values.emplace_back(member.name,
                            member.value.is_null() ? std::numeric_limits<double>::quiet_NaN() : member.value.real());
  }
  return out;
}

MetricsFile::MetricsFile(const std::filesystem::path& path, std::int64_t last_step, const MetricsFileOptions& options)
    : options_(options), log_(path), step_(last_step) {
  const std::vector<std::string> lines = log_.lines();
  std::size_t kept = 0;
  while (kept < lines.size() && read_line(lines[kept], path, kept).step <= last_step) ++kept;
  log_.keep(kept);
}

void MetricsFile::write(const StepMetrics& metrics) {
  TRL_CHECK(metrics.step >= step_, "metrics of a step that is over");
  step_ = metrics.step;
  log_.append(to_json(metrics));
  if (options_.sync_every > 0 && ++unsynced_ >= options_.sync_every) {
    log_.sync();
    unsynced_ = 0;
  }
}

std::vector<StepMetrics> read_metrics(const std::filesystem::path& path) {
  const std::string text = base::read_file(path);
  std::vector<StepMetrics> out;
  std::size_t at = 0;
  for (std::size_t end; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
    out.push_back(read_line(text.substr(at, end - at), path, out.size()));
  return out;
}

}  // namespace tritonrl::track
