#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace tritonrl::base {

struct ProgressOptions {
  enum class Style : std::uint8_t { kAuto, kBar, kLines, kSilent };

  std::string label;                               // what is counted: "candidates"
  std::optional<std::int64_t> total;               // none: not known, so no part and no time left
  Style style = Style::kAuto;                      // kAuto: a bar where `fd` is a terminal, else lines
  int fd = 2;                                      // where it is written; not closed
  std::chrono::milliseconds bar_interval{100};     // between two drawings of the bar
  std::chrono::milliseconds line_interval{5'000};  // between two lines
  std::chrono::milliseconds settle_time{2'000};    // no rate and no time left before: the first ones are no measure
  std::int64_t settle_count = 3;                   // likewise, unless that was half of all
};

// How far long work has come: one line that is drawn again on a terminal, plain lines every few seconds elsewhere.
// Draws when something is counted, has no thread of its own. Thread-safe.
class Progress {
 public:
  explicit Progress(ProgressOptions options);
  // Leaves the terminal on a fresh line.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Nothing is done yet, and that is shown at once: what comes first may take long.
  void show();
  // What takes time from now on counts for the rate; what was before (the start of a process) does not.
  void restart_clock();
  // One more is done. `kind` is what became of it; kinds are counted apart.
  void add(const std::string& kind);
  // Done before this run: counted, but no part of the rate.
  void add_earlier(const std::string& kind);
  // So many are done now; `details` are shown in place of kinds: "loss 1.21, 30.1 GiB". `earlier` of them were done
  // before this run. Draws as add() does.
  void move_to(std::int64_t done, std::int64_t earlier, const std::string& details);
  // A line for the reader, above the bar.
  void say(const std::string& text);
  // The last state: at once, whatever the interval.
  void finish();

  // "120/500 candidates, 3.1/s, 2 min 3 s left; 80 passed, 40 wrong"
  std::string text() const;

 private:
  using Clock = std::chrono::steady_clock;
  void draw();
  void draw_in_time();
  void write(const std::string& bytes) const;
  std::string describe(Clock::time_point now) const;

  ProgressOptions options_;
  Clock::time_point started_;
  mutable std::mutex mutex_;
  std::map<std::string, std::int64_t> counts_;
  std::int64_t done_ = 0, earlier_ = 0;
  std::string details_;
  Clock::time_point drawn_;
  bool bar_is_drawn_ = false, finished_ = false;
};

// "42 s", "2 min 3 s", "1 h 5 min"
std::string duration_text(double seconds);

}  // namespace tritonrl::base
