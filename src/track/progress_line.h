#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/progress.h"

namespace tritonrl::track {

// What is shown of a step, beside how many there are and the time left; what is not known is left out.
struct StepProgress {
  std::int64_t step = 0;  // done, from 1
  std::optional<double> loss = std::nullopt;
  std::optional<double> tokens_per_second = std::nullopt;
  std::optional<double> flops = std::nullopt;               // a second, of the model's own arithmetic
  std::optional<double> mfu = std::nullopt;                 // part of the device's peak that the model's arithmetic is
  std::optional<std::int64_t> memory_bytes = std::nullopt;  // at the peak
};

// "loss 1.21, 1.15M tokens/s, MFU 41 %, 30.1 GiB"
std::string details_text(const StepProgress& progress);

// How far a training run has come: a bar on a terminal, plain lines elsewhere (base/progress.h, which other long work
// shows, too). Thread-safe.
class ProgressLine {
 public:
  // `total` steps, of which `earlier` were done before this run. Of `options` label and total are set here.
  ProgressLine(std::int64_t total, std::int64_t earlier, base::ProgressOptions options = {});

  void show(const StepProgress& progress);
  // A line for the reader, above the bar.
  void say(const std::string& text) { progress_.say(text); }
  // The last state, at once.
  void finish() { progress_.finish(); }
  // "120/500 steps, 3.1/s, 2 min 3 s left; loss 1.21, …"
  std::string text() const { return progress_.text(); }

 private:
  const std::int64_t earlier_;
  base::Progress progress_;
};

}  // namespace tritonrl::track
