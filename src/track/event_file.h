#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "base/unique_fd.h"
#include "track/metrics_file.h"

namespace tritonrl::track {

struct EventFileOptions {
  // The run goes on behind this step: TensorBoard drops what earlier files of the folder have of later ones.
  std::optional<std::int64_t> last_step = std::nullopt;
  // Seconds since 1970; empty: the system's clock.
  std::function<double()> clock = {};
};

// What TensorBoard shows of a run: a new file events.out.tfevents.SECONDS.HOST.PID.N in the run's folder, written by
// our own code (event_message.h). Every record is handed to the system at once, so that a killed process loses nothing.
// For one thread at a time.
class EventFile {
 public:
  // Makes the folder if it must. UserError if it cannot be written.
  explicit EventFile(const std::filesystem::path& folder, const EventFileOptions& options = {});

  // Values are kept as 32-bit floats.
  void scalars(std::int64_t step, const Values& values);
  // Markdown.
  void text(std::int64_t step, const std::string& tag, const std::string& text);
  // Returns once all is on the disk.
  void sync();

  const std::filesystem::path& path() const { return path_; }

 private:
  void write(const std::string& event);

  std::function<double()> clock_;
  std::filesystem::path path_;
  base::UniqueFd fd_;
};

}  // namespace tritonrl::track
