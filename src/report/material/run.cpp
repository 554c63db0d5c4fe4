#include "report/material/run.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>

#include "base/error.h"
#include "base/files.h"
#include "report/material/ledger_answers.h"
#include "track/metrics_file.h"

namespace tritonrl::report {
namespace {

namespace fs = std::filesystem;

record::RunManifest read_manifest(const fs::path& path) {
  const base::Result<record::RunManifest> manifest = record::run_manifest_from_json(base::read_file(path));
  if (manifest.ok()) return manifest.value();
  throw base::UserError(
      "report", path.string() + ": " + manifest.error() + "; it is no manifest of ours, or damaged: move it away");
}

std::vector<Curve> curves_of(const std::vector<track::StepMetrics>& lines) {
  std::vector<Curve> out;
  std::map<std::string, std::size_t> places;
  for (const track::StepMetrics& line : lines) {
    for (const auto& [name, value] : line.values) {
      const auto [place, fresh] = places.emplace(name, out.size());
      if (fresh) out.push_back({.name = name, .points = {}});
      out[place->second].points.emplace_back(static_cast<double>(line.step), value);
    }
  }
  return out;
}

// "2026-11-16T15:00:00Z"
std::optional<std::time_t> moment_of(const std::string& text) {
  std::tm parts{};
  const char* end = ::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return ::timegm(&parts);
}

// The verb stands behind the program: "tritonrl sft --model …".
std::string stage_of(const record::RunManifest& manifest) {
  const bool named = manifest.command.size() > 1 && manifest.command[1].rfind('-', 0) != 0;
  return named ? manifest.command[1] : std::string();
}

}  // namespace

const std::vector<Point>* Run::find(const std::string& metric) const {
  const auto found =
      std::find_if(metrics.begin(), metrics.end(), [&](const Curve& curve) { return curve.name == metric; });
  return found == metrics.end() ? nullptr : &found->points;
}

std::optional<double> Run::last(const std::string& metric) const {
  const std::vector<Point>* points = find(metric);
  if (points == nullptr) return std::nullopt;
  const auto found =
      std::find_if(points->rbegin(), points->rend(), [](const Point& p) { return std::isfinite(p.second); });
  return found == points->rend() ? std::nullopt : std::optional(found->second);
}

std::optional<double> Run::late(const std::string& metric) const {
  const std::vector<Point>* points = find(metric);
  if (points == nullptr) return std::nullopt;
  const std::vector<Point> whole = thinned(*points, points->size());
  if (whole.empty()) return std::nullopt;
  const std::size_t count = (whole.size() + 9) / 10;
  double sum = 0;
  for (std::size_t i = whole.size() - count; i < whole.size(); ++i) sum += whole[i].second;
  return sum / static_cast<double>(count);
}

std::optional<RunTime> time_of(const Run& run) {
  if (const std::optional<double> seconds = run.last("seconds")) return RunTime{*seconds, "its own clock"};
  double sum = 0;
  bool any = false;
  for (const Curve& curve : run.metrics) {
    if (curve.name.rfind("seconds_", 0) != 0) continue;
    any = true;
    for (const Point& point : curve.points) sum += std::isfinite(point.second) ? point.second : 0;
  }
  const auto from = run.manifest ? moment_of(run.manifest->started) : std::nullopt;
  const auto to = run.manifest ? moment_of(run.manifest->finished) : std::nullopt;
  const std::optional<double> wall =
      from && to && *to >= *from ? std::optional(std::difftime(*to, *from)) : std::nullopt;
  // parts of a round may overlap: their sum is no more than an upper bound
  if (any && (!wall || sum < *wall)) return RunTime{sum, "the sum of its rounds"};
  if (wall) return RunTime{*wall, "from start to end"};
  return std::nullopt;
}

Run read_run(const fs::path& folder) {
  std::error_code problem;
  if (!fs::is_directory(folder, problem))
    throw base::UserError("report",
                          folder.string() + ": there is no such folder; name the folder of a run, as runs/sft");
  const fs::path manifest = folder / "manifest.json", metrics = folder / "metrics.jsonl",
                 ledger = folder / "ledger.sqlite";
  Run run{.name = {}, .folder = folder, .stage = {}, .manifest = {}, .metrics = {}, .answers = {}};
  bool any = false;
  if (fs::exists(manifest, problem)) {
    run.manifest = read_manifest(manifest);
    run.stage = stage_of(*run.manifest);
    any = true;
  }
  if (fs::exists(metrics, problem)) {
    run.metrics = curves_of(track::read_metrics(metrics));
    any = true;
  }
  if (fs::exists(ledger, problem)) {
    run.answers = ledger_answers(ledger);
    if (run.stage.empty()) run.stage = "rl";
    any = true;
  }
  if (!any)
    throw base::UserError("report", folder.string() +
                                        ": has no manifest.json, metrics.jsonl or ledger.sqlite; name the folder of a "
                                        "run, as runs/sft");
  run.name = fs::absolute(folder).lexically_normal().filename().string();
  if (run.name.empty()) run.name = fs::absolute(folder).lexically_normal().parent_path().filename().string();
  return run;
}

}  // namespace tritonrl::report
