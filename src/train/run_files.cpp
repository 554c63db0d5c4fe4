#include "train/run_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

#include "base/error.h"
#include "base/files.h"

namespace tritonrl::train {
namespace {

constexpr const char* kRunManifest = "manifest.json";

base::UniqueFd open_to_append(const std::filesystem::path& path) {
  base::UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!fd) throw base::UserError("train", base::system_message("cannot write " + path.string()));
  return fd;
}

void append(const base::UniqueFd& fd, std::string_view text, const std::filesystem::path& path) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd.get(), text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw base::UserError("train", base::system_message("cannot write " + path.string()));
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

}  // namespace

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

RunFiles::RunFiles(const std::filesystem::path& folder, std::int64_t metrics_bytes) : folder_(folder) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem) throw base::UserError("train", "cannot make the folder " + folder.string() + ": " + problem.message());
  metrics_ = open_to_append(metrics_path());
  log_ = open_to_append(folder_ / "training.log");
  struct stat info {};
  if (::fstat(metrics_.get(), &info) != 0 || info.st_size <= metrics_bytes) return;
  if (::ftruncate(metrics_.get(), metrics_bytes) != 0)
    throw base::UserError("train", base::system_message("cannot shorten " + metrics_path().string()));
}

void RunFiles::metrics(const base::Json& line) {
  append(metrics_, line.dump() + "\n", metrics_path());
}

void RunFiles::log(const std::string& line) {
  append(log_, utc_now() + " " + line + "\n", folder_ / "training.log");
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

std::int64_t RunFiles::sync_metrics() {
  struct stat info {};
  if (::fsync(metrics_.get()) != 0 || ::fstat(metrics_.get(), &info) != 0)
    throw base::UserError("train", base::system_message("cannot sync " + metrics_path().string()));
  return info.st_size;
}

}  // namespace tritonrl::train
