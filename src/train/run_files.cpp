#include "train/run_files.h"

#include <fcntl.h>

#include <ctime>

#include "base/error.h"
#include "base/files.h"

namespace tritonrl::train {
namespace {

constexpr const char* kRunManifest = "manifest.json";
constexpr const char* kLog = "training.log";

}  // namespace

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

RunFiles::RunFiles(const std::filesystem::path& folder, std::int64_t last_step)
    : folder_(folder),
      metrics_(folder / "metrics.jsonl", last_step),
      events_(folder, {.last_step = last_step}),
      log_(::open((folder / kLog).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644)) {
  if (!log_) throw base::UserError("train", base::system_message("cannot write " + (folder / kLog).string()));
}

void RunFiles::metrics(const track::StepMetrics& metrics) {
  metrics_.write(metrics);
  events_.scalars(metrics.step, metrics.values);
}

void RunFiles::log(const std::string& line) {
  base::write_all(log_.get(), utc_now() + " " + line + "\n", folder_ / kLog);
}

void RunFiles::manifest(const record::RunManifest& manifest) {
  base::write_file_atomically(folder_ / kRunManifest, record::to_json(manifest));
}

std::optional<std::string> RunFiles::started() const {
  if (!std::filesystem::exists(folder_ / kRunManifest)) return std::nullopt;
  const base::Result<record::RunManifest> manifest =
      record::run_manifest_from_json(base::read_file(folder_ / kRunManifest));
  return manifest.ok() ? std::optional(manifest.value().started) : std::nullopt;
}

void RunFiles::sync() {
  metrics_.sync();
  events_.sync();
}

}  // namespace tritonrl::train
