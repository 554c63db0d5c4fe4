#include "base/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <vector>

namespace tritonrl::base {
namespace {

constexpr int kBarWidth = 20;

std::string rate_text(double rate) {
  char text[32];
  std::snprintf(text, sizeof(text), rate >= 10 ? "%.0f/s" : rate >= 0.1 ? "%.1f/s" : "%.3f/s", rate);
  return text;
}

std::size_t terminal_width(int fd) {
  winsize size{};
  return ::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 10 ? size.ws_col : 80;
}

}  // namespace

std::string duration_text(double seconds) {
  if (!(seconds < 1e9)) return "very long";
  const auto whole = static_cast<std::int64_t>(std::llround(std::max(0.0, seconds)));
  if (whole < 60) return std::to_string(whole) + " s";
  if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

Progress::Progress(ProgressOptions options)
    : options_(std::move(options)), started_(Clock::now()), drawn_(Clock::now()) {
  if (options_.style == ProgressOptions::Style::kAuto) {
    options_.style = ::isatty(options_.fd) == 1 ? ProgressOptions::Style::kBar : ProgressOptions::Style::kLines;
  }
}

Progress::~Progress() {
  const std::lock_guard lock(mutex_);
  if (bar_is_drawn_) write("\n");
}

void Progress::show() {
  const std::lock_guard lock(mutex_);
  draw();
}

void Progress::restart_clock() {
  const std::lock_guard lock(mutex_);
  started_ = Clock::now();
}

void Progress::add(const std::string& kind) {
  const std::lock_guard lock(mutex_);
  ++counts_[kind];
  ++done_;
  draw_in_time();
}

void Progress::move_to(std::int64_t done, std::int64_t earlier, const std::string& details) {
  const std::lock_guard lock(mutex_);
  done_ = done;
  earlier_ = earlier;
  details_ = details;
  draw_in_time();
}

void Progress::draw_in_time() {
  const bool bar = options_.style == ProgressOptions::Style::kBar;
  if (Clock::now() - drawn_ >= (bar ? options_.bar_interval : options_.line_interval)) draw();
}

void Progress::add_earlier(const std::string& kind) {
  const std::lock_guard lock(mutex_);
  ++counts_[kind];
  ++done_;
  ++earlier_;
}

void Progress::say(const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (options_.style == ProgressOptions::Style::kSilent) return;
  write((bar_is_drawn_ ? "\r\x1b[K" : "") + text + "\n");
  if (bar_is_drawn_) draw();
}

void Progress::finish() {
  const std::lock_guard lock(mutex_);
  if (finished_) return;
  finished_ = true;
  draw();
  if (bar_is_drawn_) write("\n");
  bar_is_drawn_ = false;
}

std::string Progress::text() const {
  const std::lock_guard lock(mutex_);
  return describe(Clock::now());
}

void Progress::draw() {
  const Clock::time_point now = Clock::now();
  drawn_ = now;
  if (options_.style == ProgressOptions::Style::kLines) write(describe(now) + "\n");
  if (options_.style != ProgressOptions::Style::kBar) return;
  std::string line;
  if (options_.total && *options_.total > 0) {
    const auto full = static_cast<int>(std::min<std::int64_t>(kBarWidth, kBarWidth * done_ / *options_.total));
    line = "[" + std::string(static_cast<std::size_t>(full), '#') +
           std::string(static_cast<std::size_t>(kBarWidth - full), '.') + "] ";
  }
  line += describe(now);
  const std::size_t width = terminal_width(options_.fd) - 1;  // a full line would wrap
  if (line.size() > width) line.resize(width);
  write("\r" + line + "\x1b[K");
  bar_is_drawn_ = true;
}

std::string Progress::describe(Clock::time_point now) const {
  std::string out = std::to_string(done_);
  if (options_.total) out += "/" + std::to_string(*options_.total);
  out += " " + options_.label;
  const double seconds = std::chrono::duration<double>(now - started_).count();
  const std::int64_t done = done_ - earlier_, left = options_.total ? *options_.total - done_ : 0;
  const bool few = done < options_.settle_count && done < left;
  const bool settled = now - started_ >= options_.settle_time && !few;
  if (done > 0 && seconds > 0 && (settled || finished_)) {
    const double rate = static_cast<double>(done) / seconds;
    out += ", " + rate_text(rate);
    if (left > 0) out += ", " + duration_text(static_cast<double>(left) / rate) + " left";
  }
  if (!details_.empty()) out += "; " + details_;
  std::vector<std::pair<std::int64_t, std::string>> kinds;
  for (const auto& [kind, count] : counts_) kinds.emplace_back(-count, kind);
  std::sort(kinds.begin(), kinds.end());
  const char* separator = "; ";
  for (const auto& [count, kind] : kinds) {
    out += separator + std::to_string(-count) + " " + kind;
    separator = ", ";
  }
  return out;
}

void Progress::write(const std::string& bytes) const {
  // What cannot be shown is no reason to stop.
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t n = ::write(options_.fd, bytes.data() + at, bytes.size() - at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    at += static_cast<std::size_t>(n);
  }
}

}  // namespace tritonrl::base
