#include "cli/hub_environment.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>

namespace tritonrl::cli {
namespace {

using Clock = std::chrono::steady_clock;

class TransferLines {
 public:
  void tell(const std::string& file, std::int64_t bytes, std::int64_t total) {
    const Clock::time_point now = Clock::now();
    const bool begins = file != file_, ends = total > 0 && bytes == total;
    if (!begins && !ends && now - told_ < pause_) return;
    if (begins && !ends && total > 0 && total < 1'000'000) return;  // the line at its end is enough
    if (ends && ended_ && !begins) return;  // said when the last byte came, and again when the file is checked
    file_ = file;
    told_ = now;
    ended_ = ends;
    if (terminal_) std::cerr << "\r\033[K";
    std::cerr << "downloading " << file << ": " << text_of(bytes);
    if (total > 0) std::cerr << " of " << text_of(total) << " (" << bytes * 100 / total << " %)";
    if (!terminal_ || ends) std::cerr << "\n";
    std::cerr << std::flush;
  }

 private:
  static std::string text_of(std::int64_t bytes) {
    char text[32];
    if (bytes < 1'000) return std::to_string(bytes) + " B";
    if (bytes < 1'000'000) {
      std::snprintf(text, sizeof text, "%.1f kB", static_cast<double>(bytes) / 1e3);
    } else {
      std::snprintf(text, sizeof text, "%.1f MB", static_cast<double>(bytes) / 1e6);
    }
    return text;
  }

  const bool terminal_ = ::isatty(STDERR_FILENO) == 1;
  const std::chrono::milliseconds pause_{terminal_ ? 200 : 5000};
  std::string file_;
  Clock::time_point told_;
  bool ended_ = false;
};

}  // namespace

hub::HubOptions hub_from_environment() {
  return hub::options_from_environment([](const char* name) { return std::getenv(name); });
}

hub::Transfer transfer_on_stderr() {
  return [lines = std::make_shared<TransferLines>()](const std::string& file, std::int64_t bytes, std::int64_t total) {
    lines->tell(file, bytes, total);
  };
}

}  // namespace tritonrl::cli
