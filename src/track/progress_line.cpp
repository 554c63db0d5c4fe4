#include "track/progress_line.h"

#include <cstdio>
#include <utility>

namespace tritonrl::track {
namespace {

template <typename... T>
std::string formatted(const char* format, T... values) {
  char text[64];
  std::snprintf(text, sizeof(text), format, values...);
  return text;
}

// Three figures and a unit: 950, 12.3k, 1.15M.
std::string short_number(double value) {
  const char* unit = "";
  for (const char* next : {"k", "M", "G"}) {
    if (value < 999.5) break;
    value /= 1000;
    unit = next;
  }
  return formatted(value < 9.995 ? "%.2f%s" : value < 99.95 ? "%.1f%s" : "%.0f%s", value, unit);
}

base::ProgressOptions of_steps(base::ProgressOptions options, std::int64_t total) {
  options.label = "steps";
  options.total = total;
  return options;
}

}  // namespace

std::string details_text(const StepProgress& progress) {
  std::string out;
  const auto add = [&](const std::string& part) { out += (out.empty() ? "" : ", ") + part; };
  if (progress.loss) add(formatted("loss %.4g", *progress.loss));
  if (progress.tokens_per_second) add(short_number(*progress.tokens_per_second) + " tokens/s");
  if (progress.flops) add(formatted("%.2f TFLOP/s", *progress.flops / 1e12));
  if (progress.mfu) add(formatted("MFU %.1f %%", 100 * *progress.mfu));
  if (progress.memory_bytes) add(formatted("%.1f GiB", static_cast<double>(*progress.memory_bytes) / (1 << 30)));
  return out;
}

ProgressLine::ProgressLine(std::int64_t total, std::int64_t earlier, base::ProgressOptions options)
    : earlier_(earlier), progress_(of_steps(std::move(options), total)) {}

void ProgressLine::show(const StepProgress& progress) {
  progress_.move_to(progress.step, earlier_, details_text(progress));
}

}  // namespace tritonrl::track
