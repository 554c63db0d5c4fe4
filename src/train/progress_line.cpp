#include "train/progress_line.h"

#include <unistd.h>

#include <cstdio>

#include "base/progress.h"

namespace tritonrl::train {
namespace {

std::string short_number(double value) {
  char text[32];
  if (value >= 1e6) {
    std::snprintf(text, sizeof(text), "%.2fM", value / 1e6);
  } else {
    std::snprintf(text, sizeof(text), value >= 1e4 ? "%.0fk" : "%.1fk", value / 1e3);
  }
  return text;
}

}  // namespace

std::string text_of(const Standing& standing) {
  char text[256];
  std::snprintf(text, sizeof(text), "step %lld/%lld, loss %.4f, %s tokens/s, %.2f TFLOP/s, %s left, %.1f GiB",
                static_cast<long long>(standing.step), static_cast<long long>(standing.steps), standing.loss,
                short_number(standing.tokens_per_second).c_str(), standing.flops / 1e12,
                base::duration_text(standing.seconds_left).c_str(),
                static_cast<double>(standing.memory) / static_cast<double>(1 << 30));
  return text;
}

ProgressLine::ProgressLine(int fd) : fd_(fd), terminal_(::isatty(fd) == 1) {}

ProgressLine::~ProgressLine() {
  if (drawn_) ::dprintf(fd_, "\n");
}

void ProgressLine::show(const Standing& standing, bool last) {
  const auto now = std::chrono::steady_clock::now();
  const auto interval = terminal_ ? std::chrono::milliseconds(100) : std::chrono::milliseconds(5000);
  if (!last && now - shown_ < interval) return;
  shown_ = now;
  ::dprintf(fd_, terminal_ ? "\r%s\x1b[K" : "%s\n", text_of(standing).c_str());
  drawn_ = terminal_;
}

}  // namespace tritonrl::train
